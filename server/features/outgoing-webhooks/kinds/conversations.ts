import { Type } from 'typebox'
import type { Control } from '#server/messaging/events.ts'
import { Conversation } from '#shared/inbox/conversations.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { Actor, ofConversation, samplePerson } from './kind.ts'
import { sampleConversation } from './samples.ts'

const Assigned = Type.Object({ userId: Nullable(Type.String()), teamId: Nullable(Type.String()) })
const controls = ['none', 'bot', 'metaAgent', 'human', 'needsHuman'] as const satisfies readonly Control[]
const ControlState = Type.Enum([...controls])

export const conversationKinds = {
  'conversation.opened': ofConversation({
    on: 'conversation.opened',
    summary: 'A conversation is new: the customer wrote first, was written to, or came in a file of contacts.',
    fields: { conversation: Conversation },
    sample: { conversation: sampleConversation },
    make: ({ conversation }) => ({ data: { conversation } }),
  }),
  'conversation.assigned': ofConversation({
    on: 'conversation.assigned',
    summary: 'A conversation was assigned to another member or team, or to nobody.',
    fields: { from: Assigned, to: Assigned, by: Actor },
    sample: {
      from: { userId: null, teamId: null },
      to: { userId: samplePerson.id, teamId: null },
      by: samplePerson,
    },
    make: ({ from, to, by }) => ({ data: { from, to, by } }),
  }),
  'conversation.control': ofConversation({
    on: 'conversation.controlChanged',
    summary: 'Somebody else controls the conversation: nobody, a flow, a person; or the customer waits for a person.',
    fields: { from: ControlState, to: ControlState, by: Actor },
    sample: { from: 'bot', to: 'needsHuman', by: { kind: 'bot', id: '0199a7c2f6d57c1a', name: 'Bienvenida' } },
    make: ({ from, to, by }) => ({ data: { from, to, by } }),
  }),
  'conversation.archived': ofConversation({
    on: 'conversation.archived',
    summary: 'A conversation was archived.',
    fields: { by: Actor },
    sample: { by: samplePerson },
    make: ({ by }) => ({ data: { by } }),
  }),
  'conversation.unarchived': ofConversation({
    on: 'conversation.unarchived',
    summary: 'An archived conversation is back in the inbox.',
    fields: { by: Actor },
    sample: { by: { kind: 'customer', id: '0199a7c2f6d27c1a9b02', name: 'Lucía Fernández' } },
    make: ({ by }) => ({ data: { by } }),
  }),
  human: ofConversation({
    on: 'conversation.personNeeded',
    summary: 'A customer waits for a person, and nobody was notified recently.',
    fields: {
      reason: Type.Enum(['firstMessage', 'handedOver']),
      at: Timestamp,
      message: Type.Optional(Type.String({ description: 'What another system says of it.' })),
    },
    sample: { reason: 'handedOver', at: '2026-12-01T15:04:05.000Z' },
    make: ({ reason, at, message }) => ({ data: { reason, at, ...(message === undefined ? {} : { message }) } }),
  }),
}
