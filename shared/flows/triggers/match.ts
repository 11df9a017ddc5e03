import { Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { textMaxChars } from '#shared/kernel/limits.ts'
import { Nullable } from '#shared/kernel/list.ts'
import type { WireTrigger } from '../wire.ts'
import { answerers } from './precedence.ts'
import { triggerRefusals } from './triggers.ts'

/** Triggers that the answer of a match gives a reason for. */
export const maxRefusalsListed = 50

const closed = { additionalProperties: false } as const

const AskedTrigger = {
  flowId: Type.String(),
  triggerId: Type.String(),
  trigger: Type.Unsafe<WireTrigger>({ type: 'object', additionalProperties: true, description: 'Shortened.' }),
}
/** The answerer of a message, the flow it would start, and why the first other triggers do not match. */
const FlowMatch = Type.Object({
  by: Type.Enum(answerers, {
    description:
      '`held`: the person who has the chat · `optWord`: the product, to a word to opt out of marketing or back in · `personWord`: a person, asked for by a word · `session`: the flow they are in · `flow`: the one that begins · `closed`: what is said out of hours · `nobody`: it waits for a person.',
  }),
  chosen: Nullable(Type.Object(AskedTrigger)),
  others: Type.Array(Type.Object({ ...AskedTrigger, why: Type.Enum(triggerRefusals) }), {
    description: `The first ${maxRefusalsListed}, in the order in which triggers are asked; those that fit come first.`,
  }),
  moreOthers: Type.Integer({ minimum: 0, description: 'Other triggers that are not listed.' }),
})

/** The call that says which flow a message would start; a part of `flowsApi`. */
export const flowMatchCalls = {
  match: endpoint({
    method: 'POST',
    path: '/whatsapp/flow-match',
    access: 'chat:read',
    body: Type.Object(
      {
        text: Type.String({ maxLength: textMaxChars }),
        tappedId: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
        isFirst: Type.Optional(Type.Boolean({ description: 'They never wrote before.' })),
        silentHours: Type.Optional(Type.Number({ minimum: 0, maximum: 100_000 })),
        wasArchived: Type.Optional(Type.Boolean({ description: 'The conversation was archived.' })),
        isOpen: Type.Optional(Type.Boolean({ description: 'Inside or outside business hours; absent: as it is now.' })),
        attendedBy: Type.Optional(
          Type.Enum(['person', 'flow'], {
            description: 'Who has the chat: a member, or the flow that the customer is in.',
          }),
        ),
        flowsBefore: Type.Optional(
          Type.Array(Type.String({ maxLength: 64 }), { maxItems: 30, description: 'Flows that they have been in.' }),
        ),
        ad: Type.Optional(
          Type.Object(
            { id: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: "Meta's id of it." })) },
            { ...closed, description: 'It comes from an advertisement.' },
          ),
        ),
        answers: Type.Optional(
          Type.Object(
            { sendId: Type.Optional(Type.String({ minLength: 1, maxLength: 64 })) },
            { ...closed, description: 'It is the first word since a bulk send.' },
          ),
        ),
        tagIds: Type.Optional(Type.Array(Type.String({ maxLength: 64 }), { maxItems: 30 })),
        draftId: Type.Optional(
          Type.String({ maxLength: 64, description: 'Of this flow the draft counts, as if it were published.' }),
        ),
      },
      closed,
    ),
    reply: FlowMatch,
    refuses: [404],
    summary: 'Which flow a message would start now, or who would answer it, and why no other flow. Nothing is sent.',
  }),
} as const
