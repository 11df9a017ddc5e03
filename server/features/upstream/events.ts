import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { Type } from 'typebox'
import type { Mirror } from '#server/messaging/mirrored/mirror.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Notify } from '#server/platform/events/notify.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { acceptRaw } from '#server/platform/http/plugins/parsers.ts'
import { goodText } from '#server/platform/text/good-text.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { Conversation } from '#shared/inbox/conversations.ts'
import { Message, MessageStatus } from '#shared/inbox/messages.ts'
import { rolesWith } from '#shared/kernel/permissions.ts'
import { digitsOf, isPhoneDigits } from '#shared/kernel/phone.ts'
import { answerCheck } from './answers.ts'
import { upstreamErrors } from './errors.ts'
import { deleteEventsBefore, hasOrganization, markReceived } from './event-store.ts'
import * as shapes from './shapes.ts'
import { isObject, type Json, type ShapeContext } from './shapes.ts'

const maxBytes = 256 * 1024
/** Older and newer events are refused, so that a recorded one cannot be sent again. */
const toleranceMs = 5 * 60 * 1000
/** Longer than the other side repeats an event that was not answered. */
const idsKeptMs = 3 * 24 * 60 * 60 * 1000
const rowsPerBatch = 500

interface EventParts extends Pick<Notify, 'notifyRoles'> {
  readonly secret: string
  readonly databases: Databases
  readonly clock: Clock
  readonly writes: Pick<Writes, 'run'>
  readonly mirror: Mirror
  fileAddress(orgId: string, url: string): string | undefined
}

/** @see https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md#signature-scheme */
const isSigned = (headers: Readonly<Record<string, unknown>>, body: Buffer, secret: string, now: Date): boolean => {
  const { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures } = headers
  if (typeof id !== 'string' || typeof seconds !== 'string' || typeof signatures !== 'string') return false
  if (!/^\d{1,12}$/.test(seconds) || Math.abs(now.getTime() - Number(seconds) * 1000) > toleranceMs) return false
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
  const expected = createHmac('sha256', key).update(`${id}.${seconds}.`).update(body).digest()
  return signatures.split(' ').some(one => {
    const given = Buffer.from(one.replace(/^v1,/, ''), 'base64')
    return given.length === expected.length && timingSafeEqual(given, expected)
  })
}

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
  const digits = digitsOf(String(data.number ?? data.phone ?? ''))
  if (!isPhoneDigits(digits)) throw upstreamErrors.EVENT_REFUSED({ params: { field: 'data.number' } })
  return digits
}

type Take = (write: OrgWrite, data: Json, context: ShapeContext) => Promise<void>

const takers = ({ mirror, notifyRoles }: EventParts): Readonly<Record<string, Take>> => ({
  async message(write, data, context) {
    const phone = phoneOf(data)
    const message = isObject(data.message) ? shapes.message(data.message, context) : data.message
    requireFit('message', message, 'data.message')
    const taken = message as Message
    if (!(await mirror.isKnown(write, phone))) await mirror.takeUnheard(write, phone, String(data.name ?? ''))
    await mirror.takeMessage(write, phone, taken, { isUnread: taken.direction === 'in' })
  },

  async status(write, data, { now }) {
    requireFit('status', data, 'data')
    const {
      id,
      status,
      wamid = null,
      at,
      error,
    } = data as unknown as {
      id: string
      status: Message['status']
      wamid?: string
      at?: string
      error?: { code?: unknown }
    }
    const given = shapes.time(at)
    const errorCode = error?.code === undefined ? null : String(error.code)
    await mirror.takeStatus(write, phoneOf(data), {
      id,
      wamid,
      status,
      at: typeof given === 'string' ? given : now,
      errorCode,
    })
  },

  async conversation(write, data, context) {
    const given = isObject(data.conversation) ? data.conversation : data
    const conversation = shapes.conversation(given, context)
    requireFit('conversation', conversation, 'data')
    await mirror.takeOne(write, conversation as unknown as Conversation)
  },

  async human(write, data) {
    requireFit('human', data, 'data')
    await mirror.callPerson(write, phoneOf(data), data.message as string)
  },

  async notify(write, data) {
    requireFit('notify', data, 'data')
    const { title, message, redirect } = data as { title: string; message: string; redirect?: unknown }
    const params = { title: goodText(title).slice(0, 200), message: goodText(message).slice(0, 1000) }
    const to = typeof redirect === 'string' && /^\/[^/\\]/.test(redirect) ? redirect.slice(0, 200) : null
    await notifyRoles(write, rolesWith('chat:reply'), { words: { key: 'upstream', params }, redirect: to })
  },
})

/**
 * `POST /upstream/events`, signed as Standard Webhooks say. Answered after the commit: an event that was not answered is
 * posted again, and one that comes again changes nothing. An event that we do not know is taken and changes nothing.
 */
export function mountUpstreamEvents(app: FastifyInstance, parts: EventParts): void {
  const { databases, clock, writes, secret } = parts
  const take = takers(parts)
  app.register(async scope => {
    acceptRaw(scope, maxBytes)
    scope.post('/upstream/events', { bodyLimit: maxBytes }, async request => {
      const raw = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      if (!isSigned(request.headers, raw, secret, clock.now())) throw upstreamErrors.SIGNATURE_REFUSED()
      let event: unknown
      try {
        event = JSON.parse(raw.toString())
      } catch {
        throw upstreamErrors.EVENT_REFUSED({ params: { field: 'JSON' } })
      }
      requireFit('envelope', event, '')
      const { event: name, org, id, data } = event as { event: string; org: string; id: string; data: Json }
      if (!(await hasOrganization(databases.read, org)))
        throw upstreamErrors.EVENT_REFUSED({ params: { field: 'org' } })
      const context = { orgId: org, fileAddress: (url: string) => parts.fileAddress(org, url), now: isoNow(clock) }
      await writes.run(org, systemActor('upstream'), async write => {
        const isNew = await markReceived(write.db, org, { id: goodText(id), at: context.now })
        if (isNew) await take[name]?.(write, data, context)
      })
      return { success: true }
    })
  })
}

/** Deletes ids of events that are not posted again any more. */
export const pruneEvents = (databases: Databases, now: Date): Promise<number> => {
  const before = new Date(now.getTime() - idsKeptMs).toISOString()
  return inBatches(rowsPerBatch, limit =>
    inTransaction(databases, trx => deleteEventsBefore(trx, before, limit), { isForMany: true }),
  )
}
