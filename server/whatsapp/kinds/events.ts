import { asNumber, asText, cleanText, type Json } from '../scalars.ts'
import type { InboundContent, MessageContent } from '../webhooks/inbound.ts'
import type { Kinds } from './kind.ts'

const newsKinds = new Map<unknown, NonNullable<MessageContent['news']>['kind']>([
  ['user_changed_number', 'number'],
  ['customer_changed_number', 'number'],
  ['user_changed_user_id', 'userId'],
  ['customer_identity_changed', 'identity'],
])

/** Reads a call. Meta sends calls in a webhook field of their own, not among the messages. */
export const readCall = (call: Json): InboundContent => {
  const seconds = asNumber(call.duration)
  const isAnswered = (asText(call.status) ?? '').toUpperCase() === 'COMPLETED' || (seconds ?? 0) > 0
  const talked = isAnswered && seconds !== undefined && seconds >= 0 ? { seconds: Math.trunc(seconds) } : {}
  return { type: 'call', text: '', content: { call: { outcome: isAnswered ? 'answered' : 'missed', ...talked } } }
}

/** Events in the chat that nobody wrote. */
export const eventKinds = {
  welcome: { reads: { request_welcome: () => ({ type: 'welcome', text: '' }) } },
  system: {
    reads: {
      // `body` is a sentence by Meta, always in English.
      system: ({ body, type }) => ({
        type: 'system',
        text: cleanText(body),
        content: { news: { kind: newsKinds.get(type) ?? 'other' } },
      }),
    },
  },
  call: {},
  reaction: {
    sends: {
      reaction: {
        part: ({ targetWamid, emoji }) => ({ type: 'reaction', reaction: { message_id: targetWamid, emoji } }),
      },
    },
  },
} satisfies Kinds
