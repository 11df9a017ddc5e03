import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'

export const optOutReasonMaxChars = 200
export const optOutWordMaxChars = 40
const maxOptOutWords = 20
export const optOutTextMaxChars = 500

/**
 * An opt-out became known by a keyword, by the customer's choice in WhatsApp (or WhatsApp's refusal), or from a member
 * who recorded it.
 */
const optOutSources = ['keyword', 'whatsapp', 'person'] as const

/** A contact's opt-out from marketing. */
export const OptOut = Type.Object(
  {
    at: Timestamp,
    source: Type.Enum(optOutSources),
    note: Nullable(Type.String({ description: 'The words of the customer, or the reason that a member gave.' })),
    by: Nullable(Type.String({ description: 'Name of the member who recorded it; null: no member did.' })),
  },
  { description: 'They get no bulk sends of marketing templates.' },
)
export type OptOut = Static<typeof OptOut>

const Words = Type.Array(Type.String({ minLength: 1, maxLength: optOutWordMaxChars }), { maxItems: maxOptOutWords })
const AnswerText = Type.String({ minLength: 1, maxLength: optOutTextMaxChars })

/** An organization's keywords and answers. */
export const OptOutSettings = Type.Object({
  stopWords: Type.Array(Type.String(), {
    description: 'A message of one of them alone, whatever the case and accents.',
  }),
  resumeWords: Type.Array(Type.String()),
  confirms: Type.Boolean({ description: 'Whether such a message is answered, once, while its window is open.' }),
  stopText: Type.String(),
  resumeText: Type.String(),
})
export type OptOutSettings = Static<typeof OptOutSettings>

/** Settings of opt-outs. `inbox.optOutChat` records one for a contact. */
export const optOutsApi = {
  getSettings: endpoint({
    method: 'GET',
    path: '/whatsapp/opt-out-settings',
    access: 'member',
    reply: OptOutSettings,
    summary: 'The words with which customers opt out of marketing and back in, and the answers to them.',
  }),
  changeSettings: endpoint({
    method: 'PATCH',
    path: '/whatsapp/opt-out-settings',
    access: 'org:update',
    body: Type.Object(
      {
        stopWords: Type.Optional(Words),
        resumeWords: Type.Optional(Words),
        confirms: Type.Optional(Type.Boolean()),
        stopText: Type.Optional(AnswerText),
        resumeText: Type.Optional(AnswerText),
      },
      { additionalProperties: false },
    ),
    reply: OptOutSettings,
    summary: 'Changes the given settings of opt-outs. Without stop words, no message opts anybody out.',
  }),
} as const
