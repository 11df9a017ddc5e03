import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import type { Live } from '#client/app/calls/live.ts'
import { useApi } from '#client/app/calls/use-api.ts'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { useLive } from '#client/shell/live-provider.tsx'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { dismissCall, startHumanCalls } from './human-calls.ts'
import { redirectOf, refreshNotifications, summaryQuery } from './queries.ts'

/** Viewing a chat marks its notifications as read. */
const useSeen = (org: string) => {
  const client = useQueryClient()
  const api = useApi()
  const { pathname } = useLocation()
  const unread = useOptionalAnswer(summaryQuery(org))?.unread ?? 0
  useEffect(() => {
    const redirect = redirectOf(org, pathname)
    if (!redirect) return
    const look = () => {
      // The address changes before the page does.
      if (document.visibilityState !== 'visible' || location.pathname !== pathname) return
      dismissCall(org, pathname)
      if (!unread) return
      api.notifications.markSeenAt({ body: { redirect } }).then(
        summary => {
          if (summary.unread !== unread) refreshNotifications(client, org)
        },
        // It stays unread in the bell, where it can be marked.
        error => console.warn(error),
      )
    }
    look()
    document.addEventListener('visibilitychange', look)
    return () => document.removeEventListener('visibilitychange', look)
  }, [client, api, org, pathname, unread])
}

/** Updates the bell and announces events: toast, title, sound, desktop. Renders nothing. */
export function NotificationWatch() {
  const client = useQueryClient()
  const live = useLive()
  const api = useApi()
  const navigate = useNavigate()
  const { slug } = useOrg()
  const { user } = useViewer()
  const { t, i18n } = useTranslation('notifications')
  const language = isLanguage(i18n.language) ? i18n.language : 'es'
  /**
   * The stream may start before this component listens, and its chunk may load later: everything is announced exactly
   * once.
   */
  const heardUntil = useRef<{ live: Live; at: number }>(undefined)
  useSeen(slug)
  useEffect(() => {
    if (!live) return
    const refresh = () => refreshNotifications(client, slug)
    const since = heardUntil.current?.live === live ? heardUntil.current.at : 0
    if (live.hasHeard(['notify', 'resync', 'visibility'])) refresh()
    const stops = [
      live.on('notify', ({ viewed }) => refreshNotifications(client, slug, viewed ? 'all' : 'newest')),
      live.on('resync', refresh),
      startHumanCalls({ client, live, since, navigate, org: slug, t }),
    ]
    let gone = false
    const begin = () => {
      import('./alerts.ts').then(
        ({ startAlerts }) => {
          if (!gone)
            stops.push(startAlerts({ client, live, since, api, navigate, org: slug, userId: user.id, t, language }))
        },
        // The chunk could not be loaded: the bell still counts, and loading is retried when the network is back.
        error => {
          if (navigator.onLine) console.warn(error)
          if (!gone) addEventListener('online', begin, { once: true })
        },
      )
    }
    begin()
    return () => {
      gone = true
      removeEventListener('online', begin)
      for (const stop of stops) stop()
      heardUntil.current = { live, at: performance.now() }
    }
  }, [client, live, api, navigate, slug, user.id, t, language])
  return null
}
