import { Type } from 'typebox'
import { withFailure } from '#server/messaging/events.ts'
import { spanishFailure } from '#server/messaging/messages/delivery/failure.ts'
import { Conversation } from '#shared/inbox/conversations.ts'
import { actionNames } from '#shared/inbox/message-actions.ts'
import { Message, MessageFailure, MessageStatus } from '#shared/inbox/messages.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { Actor, ofConversation, samplePerson } from './kind.ts'
import { sampleConversation, sampleMessage, sampleReply } from './samples.ts'

const Action = Type.Object(
  {
    name: Type.Enum([...actionNames]),
    messageId: Type.String({ description: 'The message of the button.' }),
    key: Type.Optional(Type.String()),
    isFirst: Type.Boolean(),
  },
  { description: 'The action of our button that the customer tapped.' },
)

const isSeen = (status: string | undefined) => status === 'delivered' || status === 'read'

export const messageKinds = {
  'message.received': ofConversation({
    on: 'message.received',
    summary: 'A customer wrote.',
    fields: { message: Message, conversation: Conversation, action: Type.Optional(Action) },
    sample: { message: sampleMessage, conversation: sampleConversation },
    make({ past, message, conversation, action }) {
      if (past) return undefined
      const shown = withFailure(message, spanishFailure)
      return { data: { message: shown, conversation, ...(action ? { action } : {}) }, facets: { direction: 'in' } }
    },
  }),
  'message.sent': ofConversation({
    on: 'message.sent',
    summary:
      'A message to a customer was stored: to be sent (`queued`), or sent from the WhatsApp app. Bulk sends only have statuses.',
    fields: { message: Message, conversation: Conversation, by: Actor },
    sample: { message: sampleReply, conversation: sampleConversation, by: samplePerson },
    make({ past, message, conversation, by }) {
      if (past) return undefined
      const shown = withFailure(message, spanishFailure)
      return { data: { message: shown, conversation, by }, facets: { direction: 'out' } }
    },
  }),
  'message.status': ofConversation({
    on: 'message.status',
    summary: 'The status of our message changed.',
    fields: {
      id: Type.String({ description: 'Of the message.' }),
      wamid: Nullable(Type.String()),
      status: MessageStatus,
      at: Timestamp,
      error: Type.Optional(MessageFailure),
      unconfirmed: Type.Optional(Type.Literal(true, { description: 'Whether WhatsApp accepted it is not known yet.' })),
      bulk: Type.Optional(Type.Literal(true, { description: 'Part of a bulk send.' })),
    },
    sample: {
      id: sampleReply.id,
      wamid: sampleReply.wamid,
      status: 'delivered',
      at: '2026-12-01T15:04:07.000Z',
    },
    make({ id, wamid, status, before, at, errorCode, unconfirmed, bulk, waiting }) {
      // The same status: only its WhatsApp id is known now, or when it is tried next.
      if (waiting || (status === before && !unconfirmed)) return undefined
      const error = errorCode === null ? {} : { error: spanishFailure(errorCode, at) }
      const flags = { ...(unconfirmed ? { unconfirmed: true as const } : {}), ...(bulk ? { bulk } : {}) }
      const isFinal = status === 'failed' || (isSeen(status) && !isSeen(before))
      return { data: { id, wamid, status, at, ...error, ...flags }, facets: { direction: 'out', isFinal } }
    },
  }),
  'message.edited': ofConversation({
    on: 'message.changed',
    summary: 'The text of a message was edited.',
    fields: { message: Message },
    sample: { message: { ...sampleMessage, text: 'Hola, ¿ya salió mi pedido?', editedAt: '2026-12-01T15:05:00.000Z' } },
    make({ message, what }) {
      if (what !== 'edited') return undefined
      const facets = { direction: message.direction === 'in' ? 'in' : 'out' } as const
      return { data: { message: withFailure(message, spanishFailure) }, facets }
    },
  }),
  'message.deleted': ofConversation({
    on: 'message.changed',
    summary: 'A message was deleted for everybody; its content is gone here, too.',
    fields: { message: Message },
    sample: { message: { ...sampleMessage, text: '', revokedAt: '2026-12-01T15:05:00.000Z' } },
    make({ message, what }) {
      if (what !== 'deleted') return undefined
      const facets = { direction: message.direction === 'in' ? 'in' : 'out' } as const
      return { data: { message: withFailure(message, spanishFailure) }, facets }
    },
  }),
}
