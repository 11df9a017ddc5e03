import { type Static, type TObject, type TProperties, Type } from 'typebox'
import { flowLimits } from '../limits.ts'

/** Schemas that several kinds of nodes share. The build keeps them out of the browser's scripts, which never use them. */

export const closed = { additionalProperties: false } as const

/** Ids of nodes, edges, options, notes and triggers: chosen by the author, unique within the flow. */
export const PartId = Type.String({ pattern: '^[A-Za-z0-9_-]{1,40}$' })
export const Text = Type.String({
  maxLength: flowLimits.text,
  description: 'May hold variables, such as {{contacto.nombre}}.',
})
export const Reference = Type.String({ maxLength: 64 })
/** The name of a flow's own variable: `{{flujo.NAME}}`. Empty in an unfinished draft. */
export const VariableName = Type.String({ pattern: '^([a-z][a-z0-9_]{0,39})?$' })
export const TimeoutMs = Type.Integer({
  minimum: 0,
  maximum: flowLimits.timeoutMinutes * 60_000,
  description:
    'Milliseconds without an answer after which the flow continues at the handle `timeout`. 0 or absent: there is no such handle, and the session expires.',
})

export const templateFields = {
  template: Type.Optional(Type.String({ maxLength: 512, description: 'Its name.' })),
  language: Type.Optional(Type.String({ maxLength: 10, description: "Meta's code: `es_AR`." })),
  values: Type.Optional(
    Type.Record(Type.String({ maxLength: 120 }), Type.String({ maxLength: 1024 }), {
      maxProperties: 60,
      description:
        'By where they stand: `body.1`, `header.name`, `header.media` (a public address), `header.fileName` (what a document there is called), `buttons.0`. May hold variables.',
    }),
  ),
}
/** The template to send while WhatsApp's window is closed. Absent: the session waits until the customer writes. */
export const Fallback = Type.Optional(Type.Object(templateFields, closed))

/**
 * An approved template by its name. `values` by where they stand: `body.1`, `header.name`, `header.media` (a public
 * address), `header.fileName` (the name of a document there), `buttons.0`. Each may hold variables.
 */
export interface TemplateChoice {
  readonly template: string
  readonly language: string
  readonly values: Readonly<Record<string, string>>
}

type Frozen<T> = T extends readonly (infer Item)[]
  ? readonly Frozen<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Frozen<T[K]> }
    : T
type Written<Fields extends TProperties> = Static<TObject<Fields>>

/** The content of a node, from its schema. `Filled` names the fields that have a default. */
export type ContentOf<Fields extends TProperties, Filled extends keyof Written<Fields> = never> = Frozen<
  Omit<Written<Fields>, Filled> & Required<Pick<Written<Fields>, Filled>>
>

/** A template choice, with defaults for the fields that a draft leaves out. */
export const readChoice = ({ template = '', language = '', values = {} }: Partial<TemplateChoice>): TemplateChoice => ({
  template,
  language,
  values,
})

/** `data`; if it has a fallback, with defaults for the fields that a draft leaves out. */
export const withFallback = <T extends { readonly fallback?: Partial<TemplateChoice> | undefined }>(data: T): T =>
  data.fallback ? { ...data, fallback: readChoice(data.fallback) } : data
