import { Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { ChatAddress, Conversation } from './conversations.ts'

const dayMs = 86_400_000
/** A conversation can be snoozed up to `days` ahead. `minMs`: the shortest wait for an answer. */
export const snoozeLimits = { days: 365, minMs: 60_000 } as const

const OfChat = Type.Object({ phone: ChatAddress }, { additionalProperties: false })

export const SnoozeUntil = Type.String({
  minLength: 1,
  maxLength: 40,
  description: `ISO 8601 with its offset; ahead, by at most ${snoozeLimits.days} days.`,
})

export const snoozesApi = {
  snoozeChat: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/:phone/snooze',
    access: 'chat:reply',
    params: OfChat,
    body: Type.Object(
      {
        until: Type.Optional(SnoozeUntil),
        ifNoAnswerWithinMs: Type.Optional(
          Type.Integer({
            minimum: snoozeLimits.minMs,
            maximum: snoozeLimits.days * dayMs,
            description: 'Instead of `until`: how long it is snoozed, unless the customer answers before.',
          }),
        ),
      },
      { additionalProperties: false },
    ),
    example: { body: { ifNoAnswerWithinMs: dayMs } },
    reply: Conversation,
    refuses: [404, 409],
    summary:
      'Snoozes a chat until a time. It comes back then, or as soon as the customer writes. Repeating it sets another time.',
  }),
  endSnooze: endpoint({
    method: 'DELETE',
    path: '/whatsapp/conversations/:phone/snooze',
    access: 'chat:reply',
    params: OfChat,
    reply: Conversation,
    refuses: [404],
    summary: 'Brings a snoozed chat back. If it is not snoozed, nothing changes.',
  }),
} as const
