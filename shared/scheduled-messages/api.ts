import { type Static, Type } from 'typebox'
import { ChatAddress } from '#shared/inbox/conversations.ts'
import { Message } from '#shared/inbox/messages.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { textMaxChars } from '#shared/kernel/limits.ts'
import { Done } from '#shared/kernel/list.ts'

/** Waiting messages per chat, per person or key in an organization, and days ahead. */
export const scheduledLimits = { ofChat: 20, ofAuthor: 500, days: 365 } as const

export const ScheduledMessage = Type.Object({
  id: Type.String(),
  text: Type.String(),
  at: Type.String({ description: 'When it is sent, ISO 8601 UTC.' }),
  cancelOnReply: Type.Boolean({ description: 'True: it is not sent if the customer writes before.' }),
  author: Type.String({ description: 'Name of the member or key that it is sent by.' }),
  own: Type.Boolean({ description: 'The caller wrote it.' }),
  held: Type.Optional(
    Type.Object(
      { code: Type.String(), message: Type.String({ description: 'In the language of the caller.' }) },
      { description: 'True: it could not be sent when it was due. A member has to postpone, send or cancel it.' },
    ),
  ),
})
export type ScheduledMessage = Static<typeof ScheduledMessage>

const OfChat = Type.Object({ phone: ChatAddress }, { additionalProperties: false })
const OfScheduled = Type.Object(
  { phone: ChatAddress, id: Type.String({ minLength: 1, maxLength: 64 }) },
  { additionalProperties: false },
)

const Text = Type.String({ minLength: 1, maxLength: textMaxChars, pattern: '\\S' })
const At = Type.String({
  minLength: 1,
  maxLength: 40,
  description: `ISO 8601 with its offset; ahead, by at most ${scheduledLimits.days} days.`,
})
const CancelOnReply = Type.Boolean({ description: 'Cancelled if the customer writes before; false unless said.' })

/** Messages written now and sent later, to existing chats. */
export const scheduledMessagesApi = {
  listScheduled: endpoint({
    method: 'GET',
    path: '/whatsapp/conversations/:phone/scheduled',
    access: 'chat:read',
    params: OfChat,
    reply: Type.Object({ items: Type.Array(ScheduledMessage) }),
    refuses: [404],
    summary: 'The scheduled messages of a conversation, next one first, with those that were held.',
  }),
  schedule: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/:phone/scheduled',
    access: 'chat:reply',
    params: OfChat,
    body: Type.Object(
      { text: Text, at: At, cancelOnReply: Type.Optional(CancelOnReply) },
      { additionalProperties: false },
    ),
    reply: ScheduledMessage,
    status: 201,
    idempotent: true,
    refuses: [404, 409],
    summary: 'Schedules a message. Conditions such as an open window are checked when it is sent.',
  }),
  changeScheduled: endpoint({
    method: 'PATCH',
    path: '/whatsapp/conversations/:phone/scheduled/:id',
    access: 'chat:reply',
    params: OfScheduled,
    body: Type.Partial(Type.Object({ text: Text, at: At, cancelOnReply: CancelOnReply }), {
      additionalProperties: false,
      minProperties: 1,
    }),
    reply: ScheduledMessage,
    refuses: [404],
    summary: "Changes one of the caller's scheduled messages. One that was held waits again once it has another time.",
  }),
  sendScheduled: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/:phone/scheduled/:id/send',
    access: 'chat:reply',
    params: OfScheduled,
    reply: Message,
    refuses: [404, 409],
    summary: "Sends one of the caller's scheduled messages now.",
  }),
  cancelScheduled: endpoint({
    method: 'DELETE',
    path: '/whatsapp/conversations/:phone/scheduled/:id',
    access: 'chat:reply',
    params: OfScheduled,
    reply: Done,
    refuses: [404],
    summary: "Cancels a scheduled message: the caller's own, or any as owner or admin.",
  }),
} as const
