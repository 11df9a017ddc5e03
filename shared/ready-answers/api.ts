import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { fold } from '#shared/kernel/fold.ts'
import { textMaxChars } from '#shared/kernel/limits.ts'
import { Done, Nullable } from '#shared/kernel/list.ts'
import { anyFileMaxBytes, captionMaxChars } from '#shared/media/sent-files.ts'
import { type OrgVariable, orgVariables } from '#shared/orgs/variables.ts'

/** Shared answers per organization. */
export const maxSharedAnswers = 300
/** Private answers per person. */
export const maxOwnAnswers = 100
export const answerTitleMaxChars = 60
export const shortcutMaxChars = 30

/** Variables in braces: `{{contacto.nombre}}`, or `{{contacto.nombre|cliente}}` with a default. */
export const answerVariables: readonly AnswerVariable[] = [
  'contacto.nombre',
  'contacto.primer_nombre',
  'contacto.telefono',
  'agente.nombre',
  ...orgVariables,
]
/**
 * The variables with texts of their own. The others are settings of the organization and have the label of their field.
 */
export type NamedVariable =
  | 'contacto.nombre'
  | 'contacto.primer_nombre'
  | 'contacto.telefono'
  | 'agente.nombre'
  | 'org.nombre'
export type AnswerVariable = NamedVariable | OrgVariable
export type AnswerValues = Readonly<Partial<Record<AnswerVariable, string>>>

const reference = /\{\{\s*([^{}|]{0,60}?)\s*(?:\|([^{}]{0,200}))?\}\}/g
/** Marks missing values with characters that no keyboard has. */
const [open, close] = ['⟦', '⟧']
const gap = /⟦[^⟦⟧]*⟧/

const isVariable = (name: string): name is AnswerVariable => (answerVariables as readonly string[]).includes(name)

/** The first unknown variable. Undefined: all are known. */
export const unknownVariable = (text: string): string | undefined =>
  [...text.matchAll(reference)].map(([, name = '']) => name).find(name => !isVariable(name))

/** The text with values filled in. Missing ones are marked with their name from `nameOf`, never left in braces. */
export const fillAnswer = (text: string, values: AnswerValues, nameOf: (name: AnswerVariable) => string): string =>
  text.replace(reference, (_, name: string, otherwise: string | undefined) => {
    const value = isVariable(name) ? values[name]?.trim() : undefined
    return value || otherwise?.trim() || `${open}${isVariable(name) ? nameOf(name) : name}${close}`
  })

/** The first marked gap, to be filled in by hand. */
export const gapIn = (text: string): { from: number; to: number } | undefined => {
  const found = gap.exec(text)
  return found ? { from: found.index, to: found.index + found[0].length } : undefined
}

/** Normalized for storage and comparison: without slash, case and accents. */
export const shortcutOf = (typed: string): string => fold(typed.trim().replace(/^\/+/, ''))

export const ReadyAnswer = Type.Object({
  id: Type.String(),
  title: Type.String(),
  shortcut: Type.String({ description: 'The shortcut that is typed after `/`.' }),
  text: Type.String(),
  shared: Type.Boolean({ description: 'Everybody who answers has it; otherwise only who wrote it.' }),
  own: Type.Boolean({ description: 'The caller wrote it.' }),
  file: Nullable(
    Type.Object(
      {
        id: Type.String({ description: 'Another one when it is another file.' }),
        kind: Type.Enum(['image', 'video', 'audio', 'document']),
        name: Type.String(),
        mime: Type.String(),
        size: Type.Integer({ minimum: 0 }),
      },
      { description: 'A file that is sent too; the text is its caption.' },
    ),
  ),
})
export type ReadyAnswer = Static<typeof ReadyAnswer>

const Title = Type.String({ minLength: 1, maxLength: answerTitleMaxChars })
const Shortcut = Type.String({
  minLength: 1,
  maxLength: shortcutMaxChars,
  pattern: '^[A-Za-z0-9_-]+$',
  description:
    "The shortcut that is typed after `/`. It must differ from the caller's others in more than upper and lower case.",
})
const Text = Type.String({
  minLength: 1,
  maxLength: textMaxChars,
  pattern: '\\S',
  description: `Names ${answerVariables.map(name => `\`{{${name}}}\``).join(', ')}.`,
})
const Shared = Type.Boolean({ description: 'For everybody who answers; without it, for the caller alone.' })

const NewAnswer = Type.Object(
  { title: Title, shortcut: Shortcut, text: Text, shared: Type.Optional(Shared) },
  { additionalProperties: false },
)
export type NewAnswer = Static<typeof NewAnswer>
const AnswerChange = Type.Partial(Type.Object({ title: Title, shortcut: Shortcut, text: Text, shared: Shared }), {
  additionalProperties: false,
  minProperties: 1,
})
const OfAnswer = Type.Object({ id: Type.String({ minLength: 1, maxLength: 64 }) }, { additionalProperties: false })

/** Prepared texts for the composer. */
export const readyAnswersApi = {
  listAnswers: endpoint({
    method: 'GET',
    path: '/whatsapp/ready-answers',
    access: 'chat:reply',
    reply: Type.Object({ items: Type.Array(ReadyAnswer) }),
    summary: "The shared ready answers and the caller's own, by shortcut.",
  }),
  createAnswer: endpoint({
    method: 'POST',
    path: '/whatsapp/ready-answers',
    access: 'chat:reply',
    body: NewAnswer,
    reply: ReadyAnswer,
    status: 201,
    idempotent: true,
    refuses: [409],
    summary: 'Creates a ready answer, shared or for the caller only.',
  }),
  changeAnswer: endpoint({
    method: 'PATCH',
    path: '/whatsapp/ready-answers/:id',
    access: 'chat:reply',
    params: OfAnswer,
    body: AnswerChange,
    reply: ReadyAnswer,
    refuses: [404, 409],
    summary: "Changes a ready answer: the caller's own, or any shared one as owner or admin.",
  }),
  deleteAnswer: endpoint({
    method: 'DELETE',
    path: '/whatsapp/ready-answers/:id',
    access: 'chat:reply',
    params: OfAnswer,
    reply: Done,
    refuses: [404],
    summary: "Deletes a ready answer: the caller's own, or any shared one as owner or admin.",
  }),
  setFile: endpoint({
    method: 'POST',
    path: '/whatsapp/ready-answers/:id/file',
    access: 'chat:reply',
    params: OfAnswer,
    body: Type.Object(
      { name: Type.Optional(Type.String({ maxLength: 400, description: 'Its own unless said.' })) },
      { additionalProperties: false },
    ),
    fileLimit: anyFileMaxBytes,
    reply: ReadyAnswer,
    refuses: [404],
    summary: `Attaches a file to a ready answer, uploaded as a form; it replaces the previous one. The text is then limited to ${captionMaxChars} characters.`,
  }),
  removeFile: endpoint({
    method: 'DELETE',
    path: '/whatsapp/ready-answers/:id/file',
    access: 'chat:reply',
    params: OfAnswer,
    reply: ReadyAnswer,
    refuses: [404],
    summary: 'Removes the file of a ready answer.',
  }),
} as const

/** The file. Its route is registered separately, because the answer is not JSON. */
export const answerFile = endpoint({
  method: 'GET',
  path: '/whatsapp/ready-answers/:id/file',
  access: 'chat:reply',
  params: OfAnswer,
  reply: Type.String({ description: 'The bytes.' }),
  refuses: [404],
  summary: 'The file of a ready answer that the caller can use.',
})
