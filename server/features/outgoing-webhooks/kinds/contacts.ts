import { Type } from 'typebox'
import { Conversation } from '#shared/inbox/conversations.ts'
import { OptOut } from '#shared/opt-outs/api.ts'
import { Actor, ofConversation, samplePerson } from './kind.ts'
import { sampleConversation } from './samples.ts'

const tagFields = {
  tagId: Type.String(),
  label: Type.String(),
}
const sampleTag = { tagId: '0199a7c2f6d37c1a', label: 'Pedidos' }

export const contactKinds = {
  'contact.created': ofConversation({
    on: 'contact.created',
    summary: 'A contact is new. `conversationId` is their first conversation.',
    fields: {},
    sample: {},
    make: () => ({ data: {} }),
  }),
  'contact.changed': ofConversation({
    on: 'contact.changed',
    summary: 'A member or a flow changed a contact.',
    fields: { changed: Type.Array(Type.Enum(['name', 'note', 'fields'])) },
    sample: { changed: ['name'] },
    make: ({ changed }) => ({ data: { changed: [...changed] } }),
  }),
  'contact.tagged': ofConversation({
    on: 'contact.tagged',
    summary: 'A tag was added to a contact.',
    fields: tagFields,
    sample: sampleTag,
    make: ({ tagId, label }) => ({ data: { tagId, label } }),
  }),
  'contact.untagged': ofConversation({
    on: 'contact.untagged',
    summary: 'A tag was removed from a contact.',
    fields: tagFields,
    sample: sampleTag,
    make: ({ tagId, label }) => ({ data: { tagId, label } }),
  }),
  'contact.merged': ofConversation({
    on: 'contact.merged',
    summary: 'Two contacts turned out to be one. `customer` is the one that stays.',
    fields: {
      mergedContactId: Type.String({ description: 'The contact that no longer exists.' }),
      mergedConversationId: Type.String({ description: 'One of its conversations.' }),
      conversation: Conversation,
    },
    sample: {
      mergedContactId: '0199a7c2f6d27c1a9b07',
      mergedConversationId: '0199a7c2f6d27c1a9b08',
      conversation: sampleConversation,
    },
    make: ({ mergedContactId, mergedConversationId, conversation }) => ({
      data: { mergedContactId, mergedConversationId, conversation },
    }),
  }),
  'contact.optedOut': ofConversation({
    on: 'contact.optedOut',
    summary: 'A contact wants no marketing any more.',
    fields: { optOut: OptOut, by: Actor },
    sample: {
      optOut: { at: '2026-12-01T15:04:05.000Z', source: 'keyword', note: 'BAJA', by: null },
      by: { kind: 'customer', id: '0199a7c2f6d27c1a9b02', name: 'Lucía Fernández' },
    },
    make: ({ optOut, by }) => ({ data: { optOut, by } }),
  }),
  'contact.optedIn': ofConversation({
    on: 'contact.optedIn',
    summary: 'A contact wants marketing again.',
    fields: { by: Actor },
    sample: { by: samplePerson },
    make: ({ by }) => ({ data: { by } }),
  }),
}
