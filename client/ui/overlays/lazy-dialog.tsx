import { type ComponentType, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadPart, MissingPart, reloadPageOnce } from '#client/app/hydration/missing-part.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'

interface Closable {
  onClose(): void
}

/** A dialog that is loaded when it opens. One that cannot be had is said and tried again at the next opening; the page stays. */
export const lazyDialog = <P extends Closable>(load: () => Promise<{ default: ComponentType<P> }>): ComponentType<P> =>
  function LazyDialog(props: P) {
    const { t } = useTranslation('shell')
    const [Loaded, setLoaded] = useState<ComponentType<P>>()
    const { onClose } = props
    // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once per opening
    useEffect(() => {
      let isGone = false
      const refuse = async (error: unknown) => {
        if (isGone) return
        if (error instanceof MissingPart && (await reloadPageOnce())) return
        toast(t('missingPart.dialog'), { kind: 'error' })
        onClose()
      }
      loadPart(load).then(module => isGone || setLoaded(() => module.default), refuse)
      return () => {
        isGone = true
      }
    }, [])
    return Loaded ? <Loaded {...props} /> : null
  }
