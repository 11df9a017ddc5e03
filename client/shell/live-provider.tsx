import { useQueryClient } from '@tanstack/react-query'
import {
  createContext,
  type ReactNode,
  startTransition,
  useContext,
  useEffect,
  useEffectEvent,
  useState,
  useSyncExternalStore,
} from 'react'
import { createLive, type Live } from '#client/app/calls/live.ts'
import { nextTurn } from '#client/app/hydration/next-turn.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { LiveEventName, LiveEvents } from '#shared/live/api.ts'
import { forgetPlace } from './place.ts'
import { isSayingGoodbye } from './session-life.ts'
import { findOrg, useOrg, useViewer, viewerQuery } from './viewer.ts'

const LiveContext = createContext<Live | undefined>(undefined)

/**
 * Returns the organization's live events while one of its pages is open. `undefined` on the server and before the
 * stream is opened.
 */
export const useLive = (): Live | undefined => useContext(LiveContext)

type Handlers = { readonly [K in LiveEventName]?: (data: LiveEvents[K]) => void }

/**
 * Handles these events while the component is mounted. Some may have come between the query and mounting: then, and
 * whenever events were lost, `refresh` is called.
 */
export const useEvents = (handlers: Handlers, refresh: () => void): void => {
  const live = useLive()
  const names = Object.keys(handlers).join(' ')
  const hear = useEffectEvent((name: LiveEventName, data: unknown) =>
    (handlers[name] as ((data: unknown) => void) | undefined)?.(data),
  )
  const onMissed = useEffectEvent(refresh)
  useEffect(() => {
    if (!live) return
    const events = names.split(' ') as LiveEventName[]
    const stops = [...events.map(name => live.on(name, data => hear(name, data))), live.on('resync', onMissed)]
    if (live.hasHeard([...events, 'resync', 'visibility'])) onMissed()
    return () => {
      for (const stop of stops) stop()
    }
  }, [live, names])
}

/** True when the stream was away for some seconds. */
export const useIsAway = (): boolean => {
  const live = useLive()
  return useSyncExternalStore(
    tell => live?.onState(tell) ?? (() => undefined),
    () => live?.state === 'reconnecting',
    () => false,
  )
}

/** Opens one stream per organization for the pages inside. */
export function LiveProvider({ since, children }: { since?: number; children: ReactNode }) {
  const { slug } = useOrg()
  const { user } = useViewer()
  const client = useQueryClient()
  const [live, setLive] = useState<Live>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: `since` is where the first stream begins, later ones know better
  useEffect(() => {
    /** Leads to the page that sets up a required second factor, or out of the organization. */
    const leadOut = async () => {
      const viewer = await client.fetchQuery({ ...viewerQuery, staleTime: 0 }).catch(() => undefined)
      const org = viewer && findOrg(viewer, slug)
      if (org?.ssoMissing) return location.replace(paths.orgLogin(slug, location.pathname + location.search))
      location.replace(org?.secondFactorDemanded ? paths.secondFactorSetup(slug) : paths.unauthorized())
    }
    const open = () => {
      const opened = createLive({
        organization: slug,
        userId: user.id,
        since,
        onEnd: reason => {
          if (isSayingGoodbye()) return
          const here = location.pathname + location.search
          // A full page load: cached data, the viewer above all, is no longer valid.
          if (reason === 'signedOut') location.replace(paths.login(here))
          else void leadOut()
        },
      })
      // The viewer contains name, address, picture, role and deletion of the organization.
      opened.on('organization', () => void client.invalidateQueries({ queryKey: viewerQuery.queryKey }))
      // Without a transition, parts that have not hydrated yet would all hydrate at once.
      startTransition(() => setLive(opened))
      return opened
    }
    let opened: Live | undefined
    let isGone = false
    // All components mount in this task. If the stream opens in a later task, one request subscribes to all their
    // events.
    void nextTurn().then(() => {
      if (!isGone) opened = open()
    })
    return () => {
      isGone = true
      setLive(undefined)
      opened?.close()
      forgetPlace(client, slug)
    }
  }, [client, slug, user.id])
  return <LiveContext value={live}>{children}</LiveContext>
}
