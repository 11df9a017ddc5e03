import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { windowClosingMs } from '#shared/kernel/limits.ts'
import { maxChatsAtOnce } from './chat-changes.ts'

/** Why a conversation did not get the template. */
const skipReasons = ['already', 'notClosing', 'optedOut', 'blocked', 'values', 'failed'] as const

const hours = windowClosingMs / 3_600_000

export const WindowTemplateReply = Type.Object({
  sent: Type.Array(Type.String(), { description: 'Ids of the conversations that got it.' }),
  skipped: Type.Array(
    Type.Object({
      id: Type.String(),
      why: Type.Enum(skipReasons, {
        description:
          '`already`: it was sent before this end of the window · `notClosing`: the window is closed, or open for longer · `optedOut`: it is a marketing template and the contact takes none · `values`: this contact has no value for a variable · `failed`: `message` says why.',
      }),
      message: Type.Optional(Type.String()),
    }),
  ),
  missing: Type.Array(Type.String(), { description: 'Ids that are not there.' }),
})
export type WindowTemplateReply = Static<typeof WindowTemplateReply>

export const windowTemplatesApi = {
  send: endpoint({
    method: 'POST',
    path: '/whatsapp/conversations/window-template',
    access: 'chat:reply',
    body: Type.Object(
      {
        ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
          minItems: 1,
          maxItems: maxChatsAtOnce,
          description: 'Ids of conversations.',
        }),
      },
      { additionalProperties: false },
    ),
    reply: WindowTemplateReply,
    refuses: [404, 409],
    summary: `Sends the organization's template for closing windows to conversations whose window closes within ${hours} hours. A conversation gets it only once before each end of its window, whoever asks.`,
  }),
} as const
