import { createContext, type ReactNode, use, useEffect, useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useBlocker } from 'react-router'
import { LazyConfirm } from '#client/ui/overlays/lazy-confirm.tsx'

/** The ids of forms with changes that are not saved. */
const Unsaved = createContext<Set<string>>(new Set())

/** Tells the guard around the form whether it has changes that are not saved. */
export const useUnsaved = (hasChanges: boolean): void => {
  const id = useId()
  const all = use(Unsaved)
  useEffect(() => {
    if (!hasChanges) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    all.add(id)
    addEventListener('beforeunload', ask)
    return () => {
      all.delete(id)
      removeEventListener('beforeunload', ask)
    }
  }, [hasChanges, id, all])
}

/** Asks before the page with a changed form is left. */
export function UnsavedGuard({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation('settings')
  const all = useRef(new Set<string>())
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => all.current.size > 0 && currentLocation.pathname !== nextLocation.pathname,
  )
  return (
    <Unsaved value={all.current}>
      {children}
      {blocker.state === 'blocked' ? (
        <LazyConfirm
          title={t('unsaved.title')}
          says={[t('unsaved.text')]}
          confirm={t('unsaved.leave')}
          back={t('unsaved.stay')}
          run={async () => blocker.proceed()}
          onClose={() => blocker.state === 'blocked' && blocker.reset()}
        />
      ) : null}
    </Unsaved>
  )
}
