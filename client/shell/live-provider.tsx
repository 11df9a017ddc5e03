import { createContext, type ReactNode, useContext, useEffect, useState, useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { createLive, type Live } from '#client/live.ts'
import { dismissToast, toast } from '#client/ui/toasts.tsx'
import { humanToastMs } from '#shared/limits.ts'
import { paths } from '#shared/paths.ts'
import { isSayingGoodbye } from './session-life.ts'
import { useOrg, useViewer } from './viewer.ts'

const LiveContext = createContext<Live | undefined>(undefined)

/** The organization's events while one of its pages is open; undefined on the server and until the stream was asked for. */
export const useLive = (): Live | undefined => useContext(LiveContext)

/** True once the stream has been away long enough to tell. */
export const useIsAway = (): boolean => {
  const live = useLive()
  return useSyncExternalStore(
    tell => live?.onState(tell) ?? (() => undefined),
    () => live?.state === 'reconnecting',
    () => false,
  )
}

const toastKey = (number: string) => `human ${number}`
const isOpen = (path: string) => document.visibilityState === 'visible' && location.pathname === path

/** A customer needs a person: said on every page of the organization, until somebody takes it. @see spec §4 */
const useHumanToasts = (live: Live | undefined, slug: string) => {
  const { t } = useTranslation('shell')
  const navigate = useNavigate()
  useEffect(() => {
    if (!live) return
    const stops = [
      live.on('human', ({ message, number }) => {
        const path = paths.chat(slug, number)
        if (isOpen(path)) return
        toast(message, {
          key: toastKey(number),
          durationMs: humanToastMs,
          closable: true,
          action: { label: t('human.goToChat'), onClick: () => navigate(path) },
        })
      }),
      live.on('human.claimed', ({ number }) => dismissToast(toastKey(number))),
    ]
    return () => {
      for (const stop of stops) stop()
    }
  }, [live, slug, t, navigate])
}

/** Opens one stream per organization and hands it to the pages inside. */
export function LiveProvider({ since, children }: { since?: number; children: ReactNode }) {
  const { slug } = useOrg()
  const { user } = useViewer()
  const [live, setLive] = useState<Live>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `since` is where the first stream begins, later ones know better
  useEffect(() => {
    const opened = createLive({
      organization: slug,
      userId: user.id,
      since,
      onEnd: reason => {
        if (isSayingGoodbye()) return
        const here = location.pathname + location.search
        // A whole new page: what this one has cached, the viewer first of all, belongs to nobody any more.
        location.replace(reason === 'signedOut' ? paths.login(here) : paths.unauthorized())
      },
    })
    setLive(opened)
    return () => {
      setLive(undefined)
      opened.close()
    }
  }, [slug, user.id])
  useHumanToasts(live, slug)
  return <LiveContext value={live}>{children}</LiveContext>
}
