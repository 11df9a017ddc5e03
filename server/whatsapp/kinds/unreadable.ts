import { asList, asObject, asText, type Json, rawJson } from '../scalars.ts'
import type { InboundContent, MessageContent } from '../webhooks/inbound.ts'
import type { Kinds } from './kind.ts'

/** Our names by Meta's, for content that Meta does not deliver. */
const withheld: Readonly<Record<string, NonNullable<MessageContent['withheld']>>> = {
  edit: 'edit',
  poll: 'poll',
  poll_creation: 'poll',
  poll_update: 'poll',
  view_once: 'viewOnce',
  ephemeral: 'viewOnce',
}
/** Meta's error code: it could not get the sender's file, or the file is too large. */
const fileLost = 131052

/**
 * The content of polls, view-once and disappearing messages, edits outside coexistence, and messages with errors but no
 * content.
 */
export const withheldOf = (message: Json): InboundContent => {
  const named = asText(asObject(message.unsupported)?.type) ?? (message.type === 'ephemeral' ? 'ephemeral' : '')
  const isFile = asList(message.errors).some(error => asObject(error)?.code === fileLost)
  const kind = isFile ? 'file' : Object.hasOwn(withheld, named) ? withheld[named] : undefined
  return { type: 'unsupported', text: '', content: { raw: rawJson(message), ...(kind ? { withheld: kind } : {}) } }
}

/** The content of a message that could not be read. The thread shows that something arrived. */
export const unknownOf = (message: Json): InboundContent => ({
  type: 'unknown',
  text: '',
  content: { raw: rawJson(message) },
})

export const unreadableKinds = {
  unsupported: {
    reads: {
      unsupported: (_part, message) => withheldOf(message),
      ephemeral: (_part, message) => withheldOf(message),
      media_placeholder: (_part, message) => ({
        type: 'unsupported',
        text: '',
        content: { raw: rawJson(message), withheld: 'pastFile' },
      }),
    },
  },
  unknown: {},
} satisfies Kinds
