import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { ApiClient } from '#client/api.ts'
import type { Live } from '#client/live.ts'
import { toast } from '#client/ui/toasts.tsx'
import type { Language } from '#shared/language.ts'
import type { LiveEvents } from '#shared/live.ts'
import {
  defaultNotificationSettings,
  type NotificationSettings,
  notificationEventPrefix,
} from '#shared/notifications.ts'
import { paths } from '#shared/paths.ts'
import { isQuietAt } from '#shared/quiet-hours.ts'
import { claim } from './claim.ts'
import { desktopState, showDesktop } from './desktop.ts'
import { destinationOf, listQuery, refreshNotifications, settingsQuery } from './queries.ts'
import { createRepeats } from './repeats.ts'
import { ring, unlockSound } from './sound.ts'
import { renewPush } from './subscription.ts'
import { createTitleAlert, tabDoors } from './title-alert.ts'
import { isOpenWord } from './worker.ts'

export interface AlertParts {
  readonly client: QueryClient
  readonly live: Live
  readonly api: ApiClient
  navigate(path: string): unknown
  /** Slug of the organization. */
  readonly org: string
  readonly userId: string
  readonly t: TFunction<'notifications'>
  readonly language: Language
}

interface News {
  readonly id: string
  readonly title: string
  readonly body: string
  readonly path: string | null
  /** Only what is stored: of plain messages the list on the page already tells. */
  readonly toasts: boolean
}

/** A `human` toast and a stored notification of the same customer come together. */
const togetherMs = 3_000

const isVisible = () => document.visibilityState === 'visible'
const isLookedAt = (path: string | null) => isVisible() && path !== null && location.pathname === path

/** Says what arrives, each thing once in this browser and as the person wishes it. Answers how to stop. */
export function startAlerts({ client, live, api, navigate, org, userId, t, language }: AlertParts): () => void {
  const title = createTitleAlert(tabDoors)
  const repeats = createRepeats(() => performance.now())
  const called = new Map<string, number>()

  const settings = async (): Promise<NotificationSettings> =>
    // Whoever cannot be asked wants what everybody gets.
    client.fetchQuery(settingsQuery(org)).catch(() => defaultNotificationSettings)

  /** Events are Spanish; the list is in the reader's language. */
  const wordsOf = async (data: LiveEvents['notify']) => {
    if (language === 'es') return data
    const list = await client.fetchInfiniteQuery(listQuery(org)).catch(() => undefined)
    return list?.pages.flat().find(one => notificationEventPrefix + one.id === data.id) ?? data
  }

  const open = (news: News) => {
    if (news.path) navigate(news.path)
    if (!news.id.startsWith(notificationEventPrefix)) return
    // Not marked: it stays unread in the bell, where it can be marked again.
    void api.notifications
      .markViewed({ query: { id: news.id } })
      .catch(() => undefined)
      .then(() => refreshNotifications(client, org))
  }

  const say = async (news: News) => {
    const wishes = await settings()
    if (wishes.muted || isQuietAt(wishes.quiet, new Date().toISOString())) return
    if (!repeats.isNews(news)) return
    title.alert(news.title)
    const mine = await claim(`${userId}:${news.id}`)
    if (!mine || isLookedAt(news.path)) return
    if (wishes.sound) await ring()
    if (isVisible()) {
      if (wishes.toast && news.toasts) showToast(news)
      return
    }
    if (!wishes.desktop || desktopState() !== 'granted') return
    await showDesktop({ ...news, org }, () => open(news))
  }

  const showToast = (news: News) => {
    const { id, title: head, body, path } = news
    const about = path?.slice(paths.chats(org).length + 1) ?? ''
    if (performance.now() - (called.get(about) ?? Number.NEGATIVE_INFINITY) < togetherMs) return
    toast(head || t('toast.title'), {
      detail: body || t('toast.message'),
      key: id,
      position: 'top-right',
      closable: true,
      ...(path ? { action: { label: t('toast.open'), onClick: () => open(news) } } : {}),
    })
  }

  const tell = (news: News) => void say(news).catch(error => console.warn(error))

  const onWorker = ({ data }: MessageEvent) => {
    if (!isOpenWord(data)) return
    navigate(data.path)
    refreshNotifications(client, org)
  }
  const stops = [
    unlockSound(),
    title.close,
    live.on('human', ({ number }) => {
      for (const [one, at] of called) if (performance.now() - at > togetherMs) called.delete(one)
      called.set(number, performance.now())
    }),
    live.on('notify', data => {
      if (data.viewed) return
      void wordsOf(data).then(words =>
        tell({
          id: data.id,
          title: words.title || t('toast.title'),
          body: words.message || t('toast.message'),
          path: destinationOf(org, data.redirect),
          toasts: true,
        }),
      )
    }),
    live.on('message', ({ number, message, conversation }) => {
      const { control, assignee } = conversation
      // What waits for a person has its own notification; a bot's talk and a colleague's are not ours to hear.
      if (message.direction !== 'in' || control !== 'human' || (assignee && assignee.id !== userId)) return
      const path = paths.chat(org, number)
      tell({ id: `message-${message.id}`, title: t('alert.message'), body: conversation.name, path, toasts: false })
    }),
    live.on('status', ({ status }) => {
      if (status === 'failed') title.alert(t('alert.status'))
    }),
    live.on('connection', () => title.alert(t('alert.status'))),
  ]
  navigator.serviceWorker?.addEventListener('message', onWorker)
  // Told again by the next page; until then the subscription is as it was.
  void renewPush(api).catch(error => console.warn(error))
  return () => {
    navigator.serviceWorker?.removeEventListener('message', onWorker)
    for (const stop of stops) stop()
  }
}
