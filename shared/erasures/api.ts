import { type Static, Type } from 'typebox'
import { ChatAddress } from '#shared/inbox/conversations.ts'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'

/** Reasons to choose from. A free text would soon name people who must not be found any more. */
export const erasureReasons = ['asked', 'notNeeded', 'unlawful', 'mistake'] as const
export type ErasureReason = (typeof erasureReasons)[number]
export const erasuresPerPage = 20
const erasureConfirmMaxChars = 200

const Erasure = Type.Object({
  id: Type.String(),
  reason: Type.Enum(erasureReasons),
  requestedAt: Timestamp,
  requestedBy: Type.String({ description: 'By name, at that time.' }),
  finishedAt: Nullable(Timestamp),
  percent: Type.Integer({ minimum: 0, maximum: 100, description: 'How far it is; 100 once it is finished.' }),
  messages: Type.Integer({ minimum: 0, description: 'Messages that were deleted so far.' }),
})
export type Erasure = Static<typeof Erasure>

/** Removing people from everything an organization has. */
export const erasuresApi = {
  eraseContact: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/:phone/erasure',
    access: 'contact:erase',
    params: Type.Object({ phone: ChatAddress }, { additionalProperties: false }),
    body: Type.Object(
      {
        reason: Type.Enum(erasureReasons),
        confirm: Type.String({
          minLength: 1,
          maxLength: erasureConfirmMaxChars,
          description: 'Their number in any spelling with its country; of who hides it, the name they are shown by.',
        }),
      },
      { additionalProperties: false },
    ),
    reply: Erasure,
    refuses: [404],
    summary:
      'Erases the contact of a chat and everything about them, for good. Queued messages are canceled; the rest is deleted in the background.',
  }),
  listErasures: endpoint({
    method: 'GET',
    path: '/organization/erasures',
    access: 'contact:erase',
    query: Type.Object(
      {
        phone: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: 40,
            description:
              'Only erasures of this number, in any spelling with the country code. A keyed hash of it is kept.',
          }),
        ),
        before: Type.Optional(Type.String({ pattern: '^[0-9a-z]{24}$', description: 'Id of the last one there is.' })),
      },
      { additionalProperties: false },
    ),
    reply: Type.Object({ items: Type.Array(Erasure), hasMore: Type.Boolean() }),
    summary: `Who erased a contact, when and why, without data of the contact; newest first, ${erasuresPerPage} at a time.`,
  }),
} as const
