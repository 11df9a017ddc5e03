import { useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useLive } from '#client/shell/live-provider.tsx'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { useApi } from '#client/use-api.ts'
import { isLanguage } from '#shared/language.ts'
import { refreshNotifications } from './queries.ts'

/** Keeps the bell true while events come, and says what they bring: toast, title, sound, desktop. Shows nothing itself. */
export function NotificationWatch() {
  const client = useQueryClient()
  const live = useLive()
  const api = useApi()
  const navigate = useNavigate()
  const { slug } = useOrg()
  const { user } = useViewer()
  const { t, i18n } = useTranslation('notifications')
  const language = isLanguage(i18n.language) ? i18n.language : 'es'
  useEffect(() => {
    if (!live) return
    const refresh = () => refreshNotifications(client, slug)
    const stops = [live.on('notify', refresh), live.on('resync', refresh)]
    let gone = false
    import('./alerts.ts').then(
      ({ startAlerts }) => {
        if (!gone) stops.push(startAlerts({ client, live, api, navigate, org: slug, userId: user.id, t, language }))
      },
      // The chunk could not be had: the bell still counts, and the next page brings the rest.
      error => console.warn(error),
    )
    return () => {
      gone = true
      for (const stop of stops) stop()
    }
  }, [client, live, api, navigate, slug, user.id, t, language])
  return null
}
