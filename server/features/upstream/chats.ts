import { setTimeout as wait } from 'node:timers/promises'
import { inboxErrors } from '#server/messaging/errors.ts'
import type { Mirror } from '#server/messaging/mirrored/mirror.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { Services } from '#server/platform/wiring/feature.ts'
import type { Conversation, ConversationPage } from '#shared/inbox/conversations.ts'
import { digitsOf, isPhoneDigits, phoneKey } from '#shared/kernel/phone.ts'
import { inboxCalls } from './calls.ts'
import type { UpstreamClient } from './client.ts'
import { isStatus, isTrouble, orOwn } from './outcomes.ts'
import type { Input } from './requests.ts'
import type { UpstreamCaller } from './token.ts'

export interface InboxParts {
  readonly client: Pick<UpstreamClient, 'ask'>
  readonly mirror: Mirror
  readonly writes: Pick<Writes, 'run'>
  readonly clock: Clock
  /** The inbox of our own database, which has notes, tags, assignees and drafts. */
  readonly own: Services
}

/** Longer than most upstreams take, and shorter than a page may wait. */
const knownAfterMs = 50

/** Waits for an answer, but not longer. */
const firstWithin = async (asked: Promise<unknown>, ms: number): Promise<'done' | 'late' | { error: unknown }> => {
  const late = new AbortController()
  const settled = asked.then(
    () => 'done' as const,
    (error: unknown) => ({ error }),
  )
  try {
    return await Promise.race([settled, wait(ms, 'late' as const, { signal: late.signal, ref: false })])
  } finally {
    late.abort()
  }
}

/** Single chats: their rows here, and what the upstream says about them. */
export function createChats({ client, mirror, writes, own }: InboxParts) {
  /** Members who see only a part of the inbox see what our rows admit; an upstream knows nothing of it. */
  const isLimited = ({ scope }: UpstreamCaller) => scope.kind !== 'all'

  const askPage = async (caller: UpstreamCaller, query: Input['query']) =>
    (await client.ask(inboxCalls.conversations, caller, query ? { query } : {})) as ConversationPage

  /** Requests the conversation of one number, open or archived. @throws INBOX_CHAT_NOT_FOUND */
  const fetchConversation = async (caller: UpstreamCaller, phone: string): Promise<Conversation> => {
    const key = phoneKey(phone)
    const nobody = () => ({ items: [] }) as unknown as ConversationPage
    const [open, archived] = await Promise.all([
      orOwn(askPage(caller, { search: phone, page: 1, archived: false }), nobody),
      orOwn(askPage(caller, { search: phone, page: 1, archived: true }), nobody),
    ])
    const found = [...open.items, ...archived.items].find(one => phoneKey(one.phone) === key)
    if (found) return found
    // One without messages may be in no list.
    const named = await askName(caller, phone)
    const nothing = { lastMessage: null, unread: 0, archived: false, windowClosesAt: null, control: 'bot' }
    return { phone, name: named.name, ...nothing } as Conversation
  }

  /** @throws INBOX_CHAT_NOT_FOUND */
  const askName = async (caller: UpstreamCaller, phone: string): Promise<{ name: string }> => {
    try {
      return (await client.ask(inboxCalls.chatName, caller, { params: { phone } })) as { name: string }
    } catch (error) {
      throw isStatus(error, 404) ? inboxErrors.CHAT_NOT_FOUND() : error
    }
  }

  /** The number behind an address of a chat; our ids of conversations are known here only. */
  const phoneOf = async (caller: UpstreamCaller, address: string): Promise<string> => {
    const digits = digitsOf(address)
    if (isPhoneDigits(digits) && !/[a-z]/i.test(address)) return digits
    return (await own.inbox.getConversation(caller, { params: { phone: address } })).phone
  }

  /**
   * A chat that is known here is answered from its row when the upstream takes long, so that no page waits for it. What
   * the upstream says then reaches open pages. Nothing of the thread is in it.
   */
  const show = async (caller: UpstreamCaller, address: string): Promise<Conversation> => {
    const known = await ownRowOf(caller, address)
    if (!known && isLimited(caller)) throw inboxErrors.CHAT_NOT_FOUND()
    const phone = await phoneOf(caller, address)
    const reported = fetchConversation(caller, phone)
    const take = async (): Promise<Conversation> => {
      const [shown] = await mirror.take(caller, [await reported])
      if (!shown) throw inboxErrors.CHAT_NOT_FOUND()
      return shown
    }
    if (!known) return take()
    const first = await firstWithin(reported, knownAfterMs)
    if (first === 'late') {
      const announce = async () => {
        const late = await reported
        await writes.run(caller.orgId, systemActor('upstream'), one => mirror.takeOne(one, late))
      }
      announce().catch(() => undefined)
    }
    if (first === 'late' || (first !== 'done' && isTrouble(first.error))) return { ...known, stale: true }
    return take()
  }

  /** Stores what the upstream says now. @throws INBOX_CHAT_NOT_FOUND, UPSTREAM_… */
  const refresh = async (caller: UpstreamCaller, address: string): Promise<void> => {
    await mirror.take(caller, [await fetchConversation(caller, await phoneOf(caller, address))])
  }

  /** Undefined: there is no such row, or the caller does not see it. */
  const ownRowOf = async (caller: UpstreamCaller, address: string): Promise<Conversation | undefined> => {
    try {
      return await own.inbox.getConversation(caller, { params: { phone: address } })
    } catch (error) {
      if (isStatus(error, 404)) return undefined
      throw error
    }
  }

  /** Makes sure that a chat has its row here, on which notes and drafts hang. */
  const ensure = async (caller: UpstreamCaller, address: string): Promise<void> => {
    try {
      await own.inbox.getChatName(caller, { params: { phone: address } })
    } catch (error) {
      if (!isStatus(error, 404) || isLimited(caller)) throw error
      await show(caller, address)
    }
  }

  return { isLimited, askPage, phoneOf, show, refresh, ownRowOf, ensure }
}
