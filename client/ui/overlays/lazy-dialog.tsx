import { type ComponentType, Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { loadPart, MissingPart, reloadPageOnce } from '#client/app/hydration/missing-part.ts'
import { toast } from '../feedback/toasts.tsx'

interface Closable {
  onClose(): void
}

/**
 * A dialog that is loaded when it first opens; later openings render at once. If loading fails, a toast says so, the page
 * stays, and the next opening tries again. It waits for its texts alone: without a boundary of its own, the page around
 * it would wait too.
 */
export const lazyDialog = <P extends Closable>(
  load: () => Promise<{ default: ComponentType<P> }>,
  /** Shown until it is loaded, where it is a part of the page. */
  Before?: ComponentType,
): ComponentType<P> => {
  let known: ComponentType<P> | undefined
  return function LazyDialog(props: P) {
    const { t } = useTranslation('shell')
    const [Loaded, setLoaded] = useState(() => known)
    const { onClose } = props
    // biome-ignore lint/correctness/useExhaustiveDependencies: loaded once per opening
    useEffect(() => {
      if (Loaded) return
      let isGone = false
      const refuse = async (error: unknown) => {
        if (isGone) return
        if (error instanceof MissingPart && (await reloadPageOnce())) return
        toast(t('missingPart.dialog'), { kind: 'error' })
        onClose()
      }
      loadPart(load).then(module => {
        known = module.default
        if (!isGone) setLoaded(() => module.default)
      }, refuse)
      return () => {
        isGone = true
      }
    }, [])
    const before = Before ? <Before /> : null
    return Loaded ? (
      <Suspense fallback={before}>
        <Loaded {...props} />
      </Suspense>
    ) : (
      before
    )
  }
}
