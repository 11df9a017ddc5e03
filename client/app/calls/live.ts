import { createRecentEvents } from '#client/live/recent.ts'
import type { Arrival, BrowserFunctions, EndReason } from '#client/live/source.ts'
import { type Channel, type Lock, openTabs, type TabWord } from '#client/live/tabs.ts'
import type { LiveEventName, LiveEvents } from '#shared/live/api.ts'

type LiveState = 'live' | 'reconnecting'

export type { EndReason }

interface LiveOptions {
  /** Id or slug of the organization. */
  readonly organization: string
  /** Tabs of two people never share a stream. */
  readonly userId: string
  /** The id of the last event that the page contains. If `undefined`, the stream starts with the next event. */
  readonly since?: number
  /** The session or membership ended. No more events come. */
  onEnd(reason: EndReason): void
}

export interface Live {
  /**
   * Calls the handler for each event of a name. Returns a function that unsubscribes. On `resync`, reload the data on
   * screen.
   * @param since `performance.now()` of the earliest event to deliver at once, within the last 30 seconds
   */
  on<K extends LiveEventName>(event: K, handler: Handler<K>, since?: number): () => void
  /**
   * True if one of these events arrived in the last 30 seconds. A component that subscribes only now may then show
   * outdated data.
   */
  hasHeard(events: readonly LiveEventName[]): boolean
  /** `reconnecting` only after the stream was away for some seconds. */
  readonly state: LiveState
  /** Calls back when `state` changes. Returns how to stop. */
  onState(handler: () => void): () => void
  close(): void
}

type Handler<K extends LiveEventName> = (data: LiveEvents[K], id: number | undefined) => void
type AnyHandler = (data: unknown, id: number | undefined) => void

/** Shorter interruptions are not shown. */
const noticedMs = 4000

const browser: BrowserFunctions = {
  fetch: (url, init) => fetch(url, init),
  now: () => Date.now(),
  random: () => Math.random(),
  after: (ms, run) => {
    const timer = setTimeout(run, ms)
    return () => clearTimeout(timer)
  },
}

const openChannel = (name: string): Channel => {
  const broadcast = new BroadcastChannel(name)
  const channel: Channel = { post: word => broadcast.postMessage(word), hear: () => {}, close: () => broadcast.close() }
  broadcast.onmessage = ({ data }: MessageEvent<TabWord>) => channel.hear(data)
  return channel
}

const openLock = (name: string): Lock => {
  let release = () => {}
  return {
    request(steal, lead, yielded) {
      release()
      const controller = new AbortController()
      let held = false
      let given = false
      const ours = () =>
        new Promise<void>(resolve => {
          held = true
          release = () => {
            given = true
            resolve()
          }
          lead()
        })
      release = () => {
        given = true
        controller.abort()
      }
      // `steal` and `signal` exclude each other. A stolen lock rejects in the tab that had it.
      navigator.locks.request(name, steal ? { steal } : { signal: controller.signal }, ours).catch(() => {
        if (held && !given) yielded()
      })
    },
    release: () => release(),
  }
}

/**
 * Opens the organization's live events: one stream for all tabs of this browser, which reconnects after an
 * interruption.
 */
export function createLive({ organization, userId, since, onEnd }: LiveOptions): Live {
  const handlers = new Map<string, Set<AnyHandler>>()
  const watchers = new Set<() => void>()
  const recent = createRecentEvents(() => performance.now())
  const name = `recado:live:${userId}:${organization}`
  const shares = typeof BroadcastChannel === 'function' && 'locks' in navigator
  let state: LiveState = 'live'
  let calm = () => {}
  let place = since
  let tabs: ReturnType<typeof openTabs> | undefined

  const setState = (now: LiveState) => {
    if (state === now) return
    state = now
    for (const watcher of [...watchers]) watcher()
  }
  const hand = (handler: AnyHandler, data: unknown, id: number | undefined) => {
    try {
      handler(data, id)
    } catch (error) {
      // A failing listener must not affect the others.
      reportError(error)
    }
  }
  const deliver = ({ id, event, data }: Arrival) => {
    recent.add(event, data, id)
    // Listeners that reload after a gap also reload when the scope changes.
    const again = event === 'visibility' ? (handlers.get('resync') ?? []) : []
    for (const handler of [...(handlers.get(event) ?? []), ...again]) hand(handler, data, id)
  }
  const open = () => {
    if (tabs) return console.warn('Ya hay una conexión SSE')
    tabs = openTabs({
      ...browser,
      url: `/api/sse?organization=${encodeURIComponent(organization)}`,
      tab: Math.random().toString(36).slice(2),
      since: place,
      channel: shares ? openChannel(name) : undefined,
      lock: shares ? openLock(name) : undefined,
      isVisible: () => document.visibilityState === 'visible',
      deliver,
      onAway(away) {
        calm()
        if (away && state === 'live') calm = browser.after(noticedMs, () => setState('reconnecting'))
        else if (!away) setState('live')
      },
      onEnd,
    })
  }
  const pause = () => {
    calm()
    place = tabs?.place ?? place
    tabs?.close()
    tabs = undefined
  }
  const retry = () => tabs?.retry()
  // A page in the back/forward cache must not hold the lock. It resumes from its position when it returns.
  const resume = (event: PageTransitionEvent) => {
    if (event.persisted) open()
  }
  const look = () => {
    if (document.visibilityState === 'visible') retry()
  }
  addEventListener('online', retry)
  addEventListener('pagehide', pause)
  addEventListener('pageshow', resume)
  document.addEventListener('visibilitychange', look)
  open()

  return {
    on(event, handler, since) {
      const mine = handlers.get(event) ?? new Set()
      const known = handler as unknown as AnyHandler
      if (since !== undefined) for (const { data, id } of recent.of(event, since)) hand(known, data, id)
      handlers.set(event, mine.add(known))
      return () => mine.delete(known)
    },
    hasHeard: events => events.some(event => recent.of(event, 0).length > 0),
    get state() {
      return state
    },
    onState(handler) {
      watchers.add(handler)
      return () => watchers.delete(handler)
    },
    close() {
      removeEventListener('online', retry)
      removeEventListener('pagehide', pause)
      removeEventListener('pageshow', resume)
      document.removeEventListener('visibilitychange', look)
      pause()
    },
  }
}
