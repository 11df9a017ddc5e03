import { createScopedStore } from '#client/app/input/scoped-store.ts'
import type { Direction, Message } from '#shared/inbox/messages.ts'

/**
 * A message the server has not accepted yet. It is kept in this browser's storage, so that neither a reload nor a lost
 * connection loses it, and sent with one key, so that retries do not duplicate it.
 */
export interface Outgoing {
  clientKey: string
  phone: string
  text: string
  at: string
  replyTo: {
    id: string
    wamid: string | null
    type?: Message['type']
    text: string
    direction: Direction
    by?: string
  } | null
  /**
   * `held`: can still be undone. `waiting`: no connection, retried automatically. `refused`: the server refused, with
   * its reason.
   */
  state: 'held' | 'sending' | 'waiting' | 'refused'
  waitsFor?: 'connection' | 'session'
  reason: string | null
}

export interface Refusal {
  /** True if a retry may succeed: no connection, no session, 5xx, 429, or the first call is still running. */
  passing: boolean
  waitsFor: 'connection' | 'session'
  reason: string
}

interface SenderParts {
  deliver(item: Outgoing): Promise<Message>
  /** Classifies a failure. */
  judge(error: unknown): Refusal
  /** Called when the server has it. */
  delivered(item: Outgoing, message: Message): void
}

/** The messages of one person in one organization. Other people who sign in in this browser do not send them. */
export const outgoingScope = (slug: string, userId: string): string => `${slug}:${userId}`

const firstRetryMs = 1_500
/** Sending can be undone for this long, if the person enabled it. */
const undoMs = 5_000
const maxRetryMs = 30_000
const prefix = 'recado:outgoing:'
const nothing: readonly Outgoing[] = []

const { read, write, forget, use } = createScopedStore<readonly Outgoing[]>(nothing, {
  prefix,
  scopeOf: rest => rest,
  load(scope) {
    const stored: unknown = JSON.parse(localStorage.getItem(prefix + scope) ?? '[]')
    if (!Array.isArray(stored)) return nothing
    return stored.filter(item => typeof item?.clientKey === 'string' && typeof item?.text === 'string')
  },
  save(scope, items) {
    if (items.length) localStorage.setItem(prefix + scope, JSON.stringify(items))
    else localStorage.removeItem(prefix + scope)
  },
})

const change = (scope: string, clientKey: string, patch: Partial<Outgoing>) =>
  write(
    scope,
    read(scope).map(item => (item.clientKey === clientKey ? { ...item, ...patch } : item)),
  )

/** Messages being sent. Empty on the server and during hydration. */
export const useOutgoing = use

/** True if something is about to be sent, or waits until its writer signs in again. */
export const isHolding = (scope: string): boolean =>
  read(scope).some(
    item =>
      item.state === 'held' || item.state === 'sending' || (item.state === 'waiting' && item.waitsFor === 'session'),
  )

/** One tab at a time sends the messages of a scope. Without locks each tab sends, and the key prevents duplicates. */
const alone = (scope: string, work: () => Promise<void>): Promise<void> =>
  'locks' in navigator ? navigator.locks.request(`recado-outgoing:${scope}`, work) : work()

/** Wakes the sender of a scope, if there is one. */
const wakers = new Map<string, () => void>()

/** Stores a message. The sender of its scope sends it, or the next sender when it starts. */
export const sendText = (scope: string, item: Omit<Outgoing, 'state' | 'reason'>, canUndo = false): void => {
  write(scope, [...read(scope), { ...item, state: canUndo ? 'held' : 'sending', reason: null }])
  wakers.get(scope)?.()
}

export const retryText = (scope: string, clientKey: string): void => {
  change(scope, clientKey, { state: 'sending', reason: null })
  wakers.get(scope)?.()
}

export const discardText = (scope: string, clientKey: string): void =>
  write(
    scope,
    read(scope).filter(item => item.clientKey !== clientKey),
  )

/** Removes a message that is still held. Undefined: it is being sent. */
export const undoText = (scope: string, clientKey: string): Outgoing | undefined => {
  forget(scope)
  const item = read(scope).find(one => one.clientKey === clientKey && one.state === 'held')
  if (item) discardText(scope, clientKey)
  return item
}

/** Starts sending held messages. Returns whether there were any. */
const release = (scope: string, which: (item: Outgoing) => boolean = () => true): boolean => {
  forget(scope) // Another tab may have removed some.
  const isLeaving = (item: Outgoing) => item.state === 'held' && which(item)
  const items = read(scope)
  if (!items.some(isLeaving)) return false
  write(
    scope,
    items.map(item => (isLeaving(item) ? { ...item, state: 'sending' } : item)),
  )
  return true
}

/** Sends a scope's messages in order, one sender per tab. @returns how to stop it. */
export function startSender(scope: string, parts: SenderParts): () => void {
  let retryMs = firstRetryMs
  let timer: ReturnType<typeof setTimeout> | undefined
  let stopped = false
  let busy = false
  const undoTimers = new Map<string, ReturnType<typeof setTimeout>>()

  const sendOne = async (item: Outgoing): Promise<boolean> => {
    try {
      const message = await parts.deliver(item)
      parts.delivered(item, message)
      discardText(scope, item.clientKey)
      retryMs = firstRetryMs
      return true
    } catch (error) {
      const { passing, waitsFor, reason } = parts.judge(error)
      change(
        scope,
        item.clientKey,
        passing ? { state: 'waiting', waitsFor, reason: null } : { state: 'refused', reason },
      )
      return !passing
    }
  }

  /** `isLast`: the page is being closed. */
  const drain = async (isLast = false) => {
    forget(scope) // Another tab may have sent some meanwhile.
    for (;;) {
      const next = read(scope).find(item => item.state !== 'refused')
      // Messages behind a held one wait, to keep the order.
      if (!next || (stopped && !isLast) || next.state === 'held') return
      if (!(await sendOne(next))) {
        if (stopped) return
        timer = setTimeout(flush, retryMs)
        retryMs = Math.min(retryMs * 2, maxRetryMs)
        return
      }
    }
  }

  /** Sends held messages after their time, also those that another page left. */
  const watchHeld = () => {
    for (const { clientKey, state } of read(scope))
      if (state === 'held' && !undoTimers.has(clientKey))
        undoTimers.set(
          clientKey,
          setTimeout(() => {
            undoTimers.delete(clientKey)
            if (release(scope, item => item.clientKey === clientKey)) flush()
          }, undoMs),
        )
  }

  function flush() {
    clearTimeout(timer)
    watchHeld()
    if (busy || stopped) return
    busy = true
    void alone(scope, () => drain()).finally(() => {
      busy = false
      // Written while the last one was finishing.
      if (!stopped && read(scope).find(item => item.state !== 'refused')?.state === 'sending') flush()
    })
  }

  // Also after signing in again in another tab.
  const flushWhenSeen = () => {
    if (document.visibilityState === 'visible') return flush()
    // A person who leaves the tab cannot undo, and may not return.
    if (release(scope)) flush()
  }
  document.addEventListener('visibilitychange', flushWhenSeen)
  window.addEventListener('online', flush)
  wakers.set(scope, flush)
  flush()
  return () => {
    if (release(scope)) void alone(scope, () => drain(true))
    stopped = true
    clearTimeout(timer)
    for (const held of undoTimers.values()) clearTimeout(held)
    if (wakers.get(scope) === flush) wakers.delete(scope)
    document.removeEventListener('visibilitychange', flushWhenSeen)
    window.removeEventListener('online', flush)
  }
}

/** Marks a bubble that waits for the connection. */
export const waitingCode = 'WAITING'
/** Marks a bubble whose sending can be undone. */
export const heldCode = 'HELD'
/** Marks a bubble that waits until its writer has signed in again. */
export const signedOutCode = 'SIGNED_OUT'

/** An unsent message in the form of a stored one. */
export const asMessage = (item: Outgoing): Message => ({
  id: item.clientKey,
  clientKey: item.clientKey,
  wamid: null,
  direction: 'out',
  type: 'text',
  text: item.text,
  at: item.at,
  status: item.state === 'refused' ? 'failed' : 'queued',
  ...(item.state === 'refused' ? { error: { code: 'REFUSED', message: item.reason ?? '' } } : {}),
  ...(item.state === 'held' ? { error: { code: heldCode, message: '' } } : {}),
  ...(item.state === 'waiting'
    ? { error: { code: item.waitsFor === 'session' ? signedOutCode : waitingCode, message: '' } }
    : {}),
  ...(item.replyTo ? { replyTo: item.replyTo } : {}),
})
