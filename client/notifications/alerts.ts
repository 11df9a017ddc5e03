import type { QueryClient } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import type { ApiClient } from '#client/app/calls/api.ts'
import type { Live } from '#client/app/calls/live.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { LiveEvents } from '#shared/live/api.ts'
import { notificationEventPrefix } from '#shared/notifications/api.ts'
import { claim } from './claim.ts'
import { desktopState, showDesktop } from './desktop.ts'
import { isMuted } from './muting.ts'
import { preferencesOf } from './preferences.ts'
import { destinationOf, refreshNotifications, settingsQuery } from './queries.ts'
import { createRepeats } from './repeats.ts'
import { ring, unlockSound } from './sound.ts'
import { renewPush } from './subscription.ts'
import { browserTab, createTitleAlert } from './title-alert.ts'
import { isOpenWord } from './worker.ts'

export interface AlertParts {
  readonly client: QueryClient
  readonly live: Live
  /** `performance.now()` of the first event that was not announced. */
  readonly since: number
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
  readonly conversationId: string | undefined
  /** False: no toasts for plain messages, because the list of chats shows them. */
  readonly toasts: boolean
}

/** Events of one customer message arrive within this time. */
const togetherMs = 3_000
/** Notifications that only say that somebody wrote. */
const plainKinds: readonly (string | undefined)[] = ['replied', 'several']

/** Remembers for a moment what was announced about whom. */
const createMoment = () => {
  const said = new Map<string, number>()
  return {
    add(about: string) {
      for (const [one, at] of said) if (performance.now() - at > togetherMs) said.delete(one)
      said.set(about, performance.now())
    },
    has: (about: string) => performance.now() - (said.get(about) ?? Number.NEGATIVE_INFINITY) < togetherMs,
  }
}

const isVisible = () => document.visibilityState === 'visible'
const isLookedAt = (path: string | null) => isVisible() && path !== null && location.pathname === path

/** The title of the tab, so that an alert is kept when the alerts are stopped and started again. */
const title = createTitleAlert(browserTab)

/** Announces what arrives, each thing once in this browser, by the person's settings. Returns how to stop. */
export function startAlerts({ client, live, since, api, navigate, org, userId, t, language }: AlertParts): () => void {
  const repeats = createRepeats(() => performance.now())
  /** Chats that were announced, and chats whose message was announced by name, by path. */
  const called = createMoment()
  const named = createMoment()

  /** Events are in Spanish; the list is in the reader's language. */
  const wordsOf = async (data: LiveEvents['notify']) => {
    if (language === 'es') return data
    const list = await api.notifications.list({ query: {} }).catch(() => [])
    return list.find(one => notificationEventPrefix + one.id === data.id) ?? data
  }

  const open = (news: News) => {
    if (news.path) navigate(news.path)
    if (!news.id.startsWith(notificationEventPrefix)) return
    // If this fails it stays unread in the bell, where it can be marked.
    void api.notifications
      .markViewed({ query: { id: news.id } })
      .catch(() => undefined)
      .then(() => refreshNotifications(client, org))
  }

  const say = async (news: News) => {
    const preferences = await preferencesOf(client, org)
    if (isMuted(preferences, news.conversationId)) return
    if (!repeats.rememberIfNew(news)) return
    title.alert(news.title)
    const mine = await claim(`${userId}:${news.id}`)
    if (!mine || isLookedAt(news.path)) return
    if (preferences.sound) await ring()
    if (isVisible()) {
      if (preferences.toast && news.toasts) showToast(news)
      return
    }
    if (!preferences.desktop || desktopState() !== 'granted') return
    await showDesktop({ ...news, org }, () => open(news))
  }

  const showToast = (news: News) => {
    const { id, title: head, body, path } = news
    if (path && called.has(path)) return
    toast(head || t('toast.title'), {
      detail: body || t('toast.message'),
      key: id,
      position: 'top-right',
      closable: true,
      ...(path ? { action: { label: t('toast.open'), onClick: () => open(news) } } : {}),
    })
  }

  const tell = (news: News) => void say(news).catch(error => console.warn(error))

  const onNotify = (data: LiveEvents['notify']) => {
    if (data.viewed) return
    const path = destinationOf(org, data.redirect)
    if (path) named.add(path)
    void wordsOf(data).then(words =>
      tell({
        id: data.id,
        title: words.title || t('toast.title'),
        body: words.message || t('toast.message'),
        path,
        conversationId: data.conversationId,
        toasts: !(plainKinds.includes(data.kind) && location.pathname.startsWith(paths.chats(org))),
      }),
    )
  }
  const onMessage = ({ number, message, conversation }: LiveEvents['message']) => {
    const { control, assignee } = conversation
    // Waiting customers have their own notification. Messages that bots or colleagues handle are not announced.
    if (message.direction !== 'in' || control !== 'human' || (assignee && assignee.id !== userId)) return
    const path = paths.chat(org, number)
    if (named.has(path)) return
    tell({
      id: `message-${message.id}`,
      title: t('alert.message'),
      body: conversation.name,
      path,
      conversationId: conversation.id,
      toasts: false,
    })
  }

  const onWorker = ({ data }: MessageEvent) => {
    if (!isOpenWord(data)) return
    navigate(data.path)
    refreshNotifications(client, org)
  }
  const stops = [
    unlockSound(),
    live.on('human', ({ number }) => called.add(paths.chat(org, number)), since),
    live.on('notify', onNotify, since),
    live.on('message', onMessage, since),
    live.on('status', ({ status }) => {
      if (status === 'failed') title.alert(t('alert.status'))
    }),
    live.on('notificationSettings', () => {
      void client.invalidateQueries({ queryKey: settingsQuery(org).queryKey })
    }),
    live.on('connection', () => title.alert(t('alert.status'))),
  ]
  navigator.serviceWorker?.addEventListener('message', onWorker)
  // If this fails, the next page retries; the subscription is unchanged.
  void renewPush(api).catch(error => console.warn(error))
  return () => {
    navigator.serviceWorker?.removeEventListener('message', onWorker)
    for (const stop of stops) stop()
  }
}
