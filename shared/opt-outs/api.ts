import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'

export const optOutReasonMaxChars = 200
export const optOutWordMaxChars = 40
const maxOptOutWords = 20
export const optOutTextMaxChars = 500

/** How we know: they wrote a word · they chose it in WhatsApp, or WhatsApp refused for that · somebody of ours noted it. */
const optOutSources = ['keyword', 'whatsapp', 'person'] as const

/** A contact wants no marketing. */
export const OptOut = Type.Object(
  {
    at: Timestamp,
    source: Type.Enum(optOutSources),
    note: Nullable(Type.String({ description: 'What they wrote, or the reason that somebody gave.' })),
    by: Nullable(Type.String({ description: 'Who noted it, by name; null: nobody of ours.' })),
  },
  { description: 'They get no bulk sends of marketing templates.' },
)
export type OptOut = Static<typeof OptOut>

const Words = Type.Array(Type.String({ minLength: 1, maxLength: optOutWordMaxChars }), { maxItems: maxOptOutWords })
const AnswerText = Type.String({ minLength: 1, maxLength: optOutTextMaxChars })

/** What an organization takes for "no more" and "again", and what it answers. */
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

/** Who wants no marketing. Noting it of a contact is the inbox's: `inbox.optOutChat`. */
export const optOutsApi = {
  getSettings: endpoint({
    method: 'GET',
    path: '/whatsapp/opt-out-settings',
    access: 'member',
    reply: OptOutSettings,
    summary: 'By which words customers opt out of marketing and back in, and what they are answered.',
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
    summary: 'Changes the settings that are given. Without a word to stop by, no message opts anybody out.',
  }),
} as const
