import { Type } from 'typebox'
import type { Mirror } from '#server/messaging/mirrored/mirror.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { goodText } from '#server/platform/text/good-text.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { shownValue } from '#server/whatsapp/scalars.ts'
import { Conversation } from '#shared/inbox/conversations.ts'
import { Message, MessageStatus } from '#shared/inbox/messages.ts'
import { rolesWith } from '#shared/kernel/permissions.ts'
import { digitsOf, isPhoneDigits } from '#shared/kernel/phone.ts'
import { answerCheck } from '../answers.ts'
import { upstreamErrors } from '../errors.ts'
import * as shapes from '../shapes.ts'
import { isObject, type Json, type ShapeContext } from '../shapes.ts'
import { markReceived } from './store.ts'

/** An event with more bytes is refused. */
export const maxEventBytes = 256 * 1024

const Envelope = Type.Object({
  event: Type.String({ minLength: 1, maxLength: 64 }),
  org: Type.String({ minLength: 1, maxLength: 64 }),
  id: Type.String({ minLength: 1, maxLength: 128 }),
  data: Type.Object({}),
})
const Status = Type.Object({ id: Type.String(), status: MessageStatus })
const Human = Type.Object({ message: Type.String() })
const Notice = Type.Object({ title: Type.String(), message: Type.String() })

const check = {
  envelope: answerCheck(Envelope),
  message: answerCheck(Message),
  conversation: answerCheck(Conversation),
  status: answerCheck(Status),
  human: answerCheck(Human),
  notify: answerCheck(Notice),
}

/** @throws UPSTREAM_EVENT_REFUSED naming the field */
const requireFit = (kind: keyof typeof check, value: unknown, at: string): void => {
  const fault = check[kind](value)
  if (fault) throw upstreamErrors.EVENT_REFUSED({ params: { field: at ? `${at}.${fault.field}` : fault.field } })
}

/** @throws UPSTREAM_EVENT_REFUSED */
const phoneOf = (data: Json): string => {
  const digits = digitsOf(shownValue(data.number ?? data.phone ?? ''))
  if (!isPhoneDigits(digits)) throw upstreamErrors.EVENT_REFUSED({ params: { field: 'data.number' } })
  return digits
}

interface TakingParts extends Pick<Notify, 'notifyRoles'> {
  readonly clock: Clock
  readonly mirror: Mirror
  fileAddress(orgId: string, url: string): string | undefined
}

type Apply = (write: OrgWrite) => Promise<unknown>
/** Checks the data of an event and returns what to write. @throws UPSTREAM_EVENT_REFUSED */
type Read = (data: Json, context: ShapeContext) => Apply

const readers = ({ mirror, notifyRoles }: TakingParts): Readonly<Record<string, Read>> => ({
  message(data, context) {
    const phone = phoneOf(data)
    const message = isObject(data.message) ? shapes.message(data.message, context) : data.message
    requireFit('message', message, 'data.message')
    const taken = message as Message
    // Our own events have the name in the conversation.
    const name = shownValue(data.name ?? (isObject(data.conversation) ? data.conversation.name : undefined) ?? '')
    return async write => {
      const take = () => mirror.takeMessage(write, phone, taken, { isUnread: taken.direction === 'in' })
      if (await take()) return
      await mirror.takeUnheard(write, phone, name)
      await take()
    }
  },

  messageChanged(data, context) {
    const phone = phoneOf(data)
    const message = isObject(data.message) ? shapes.message(data.message, context) : data.message
    requireFit('message', message, 'data.message')
    return write => mirror.takeMessageChange(write, phone, message as Message)
  },

  status(data, { now }) {
    requireFit('status', data, 'data')
    const phone = phoneOf(data)
    const { id, status, wamid, at, error, unconfirmed } = data as {
      id: string
      status: Message['status']
      wamid?: string
      at?: string
      error?: { code?: unknown }
      unconfirmed?: unknown
    }
    const given = shapes.time(at)
    const change = {
      id,
      status,
      wamid: wamid ?? null,
      at: typeof given === 'string' ? given : now,
      errorCode: error?.code === undefined ? null : String(error.code),
      unconfirmed: unconfirmed === true,
    }
    return write => mirror.takeStatus(write, phone, change)
  },

  conversation(data, context) {
    const given = isObject(data.conversation) ? data.conversation : data
    const conversation = shapes.conversation(given, context)
    requireFit('conversation', conversation, 'data')
    return write => mirror.takeOne(write, conversation as unknown as Conversation)
  },

  human(data) {
    requireFit('human', data, 'data')
    const phone = phoneOf(data)
    return write => mirror.callPerson(write, phone, data.message as string)
  },

  notify(data) {
    requireFit('notify', data, 'data')
    const { title, message, redirect } = data as { title: string; message: string; redirect?: unknown }
    const params = { title: goodText(title).slice(0, 200), message: goodText(message).slice(0, 1000) }
    const to = typeof redirect === 'string' && /^\/[^/\\]/.test(redirect) ? redirect.slice(0, 200) : null
    return write => notifyRoles(write, rolesWith('chat:reply'), { words: { key: 'upstream', params }, redirect: to })
  },
})

export interface TakenEvent {
  readonly orgId: string
  /** Stores the event in the transaction that notes its id. One that came before changes nothing. */
  apply(write: OrgWrite): Promise<void>
}

/**
 * Checks events of the upstream, whichever way they come.
 * @returns an event that can be written. One whose name we do not know changes nothing.
 * @throws UPSTREAM_EVENT_REFUSED
 */
export function createTaking(parts: TakingParts): (event: unknown) => TakenEvent {
  const read = readers(parts)
  return event => {
    requireFit('envelope', event, '')
    const { event: name, org, id, data } = event as { event: string; org: string; id: string; data: Json }
    const now = isoNow(parts.clock)
    const context = { orgId: org, fileAddress: (url: string) => parts.fileAddress(org, url), now }
    const change = Object.hasOwn(read, name) ? read[name]?.(data, context) : undefined
    return {
      orgId: org,
      async apply(write) {
        if (await markReceived(write.db, org, { id: goodText(id), at: now })) await change?.(write)
      },
    }
  }
}

export type Taking = ReturnType<typeof createTaking>
