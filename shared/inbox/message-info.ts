import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { MessageDirection, MessageFailure } from './messages.ts'

/** Attempts listed at most, the latest. */
export const maxAttempts = 50

/** A request to WhatsApp for a message. `unknown`: it may have reached WhatsApp. */
const attemptOutcomes = ['open', 'accepted', 'failed', 'retry', 'unknown'] as const

const Attempt = Type.Object({
  startedAt: Timestamp,
  endedAt: Nullable(Timestamp),
  outcome: Type.Enum(attemptOutcomes),
  httpStatus: Nullable(Type.Integer()),
  error: Nullable(MessageFailure),
  detail: Nullable(Type.String({ description: "WhatsApp's own words." })),
})

/** The statuses of a message, with times. */
export const MessageInfo = Type.Object({
  id: Type.String(),
  wamid: Nullable(Type.String()),
  direction: MessageDirection,
  author: Nullable(Type.String({ description: 'The member, flow or key that wrote it.' })),
  bulkSend: Nullable(Type.String({ description: 'The bulk send it was part of, where the caller may see that.' })),
  at: Timestamp,
  sentAt: Nullable(Timestamp),
  deliveredAt: Nullable(Timestamp),
  readAt: Nullable(Timestamp),
  failedAt: Nullable(Timestamp),
  error: Nullable(MessageFailure),
  detail: Nullable(Type.String({ description: "WhatsApp's own words." })),
  attempts: Type.Array(Attempt),
})
export type MessageInfo = Static<typeof MessageInfo>

export const messageInfoApi = {
  getMessageInfo: endpoint({
    method: 'GET',
    path: '/whatsapp/messages/:id/info',
    access: 'chat:read',
    params: Type.Object({ id: Type.String({ maxLength: 64 }) }, { additionalProperties: false }),
    reply: MessageInfo,
    refuses: [404],
    summary: `When a message was sent, delivered and read, with its last ${maxAttempts} calls to WhatsApp, oldest first.`,
  }),
} as const
