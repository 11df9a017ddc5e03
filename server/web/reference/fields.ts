import type { Schema } from '#server/platform/http/plugins/openapi-example.ts'
import { escapeHtml } from '#server/platform/text/html.ts'

/** Says a text of the page by its key. */
export type Say = (key: string, params?: Record<string, string | number>) => string

interface Reading {
  readonly say: Say
  /** Schemas that others reference. */
  readonly named: Readonly<Record<string, unknown>>
  /** References on the way here: a recursive schema is shown once. */
  readonly within: readonly string[]
}

/** Fields below this are left to `openapi.json`. */
const maxDepth = 6

/** A description as HTML: what stands between backticks is code. */
export const inWords = (text: string): string => escapeHtml(text).replace(/\x60([^\x60]+)\x60/g, '<code>$1</code>')

const code = (text: string) => `<code>${escapeHtml(text)}</code>`

const nameOf = ($ref: string) => $ref.split('/').at(-1) ?? ''

const resolved = (schema: Schema, reading: Reading): readonly [Schema, Reading] => {
  if (schema.$ref === undefined) return [schema, reading]
  const name = nameOf(schema.$ref)
  if (reading.within.includes(name)) return [{}, reading]
  return [(reading.named[name] ?? {}) as Schema, { ...reading, within: [...reading.within, name] }]
}

const formsOf = ({ anyOf, oneOf }: Schema): readonly Schema[] => anyOf ?? oneOf ?? []

const isNull = (schema: Schema) => schema.type === 'null'

type Unit = 'characters' | 'items' | 'range'

const rangeOf = (say: Say, least: number | undefined, most: number | undefined, unit: Unit): string[] => {
  if (most === undefined) return least ? [say(`docs:fields.${unit}From`, { least })] : []
  return [say(`docs:fields.${unit}${least ? '' : 'UpTo'}`, { least: least ?? 0, most })]
}

const limitsOf = (schema: Schema, say: Say): string[] => [
  ...(schema.type === 'string' ? rangeOf(say, schema.minLength, schema.maxLength, 'characters') : []),
  ...(schema.type === 'array' ? rangeOf(say, schema.minItems, schema.maxItems, 'items') : []),
  ...(schema.type === 'integer' || schema.type === 'number'
    ? rangeOf(say, schema.minimum, schema.maximum, 'range')
    : []),
]

/** The type in a few words, as HTML. */
const typeOf = (given: Schema, reading: Reading): string => {
  const { say } = reading
  const [schema, inner] = resolved(given, reading)
  if (schema.const !== undefined) return code(JSON.stringify(schema.const))
  if (schema.enum) return schema.enum.map(one => code(JSON.stringify(one))).join(' · ')
  const forms = formsOf(schema)
  const names = forms.length
    ? [...new Set(forms.map(one => typeOf(one, inner)))]
    : [schema.type ?? (schema.properties || schema.allOf ? 'object' : 'any')].flat().map(one => {
        if (one === 'array' && schema.items)
          return escapeHtml(say('docs:fields.listOf')).replace('TYPE', () => typeOf(schema.items as Schema, inner))
        return escapeHtml(say(`docs:types.${one}`))
      })
  const all = schema.nullable ? [...names, escapeHtml(say('docs:types.null'))] : names
  return all.join(` ${escapeHtml(say('docs:fields.or'))} `)
}

const fieldOf = (name: string, given: Schema, isRequired: boolean, reading: Reading, depth: number): string => {
  const { say } = reading
  const [schema] = resolved(given, reading)
  const facts = [
    ...limitsOf(schema, say),
    ...(schema.format && schema.format !== 'binary' ? [schema.format] : []),
    ...(given.default === undefined ? [] : [say('docs:fields.default', { value: JSON.stringify(given.default) })]),
  ]
  const description = given.description ?? schema.description
  return `<li>${code(name)} <span class="type">${typeOf(given, reading)}</span>${
    isRequired ? ` <b>${escapeHtml(say('docs:fields.required'))}</b>` : ''
  }${facts.length ? ` <span class="limits">· ${escapeHtml(facts.join(' · '))}</span>` : ''}${
    description ? `<p lang="en">${inWords(description)}</p>` : ''
  }${innerFields(given, reading, depth)}</li>`
}

/** The title of one alternative: the constants of its fields. */
const titleOf = (schema: Schema, reading: Reading): string => {
  const marks = Object.entries(schema.properties ?? {}).flatMap(([name, { const: value }]) =>
    value === undefined ? [] : [code(`${name}: ${JSON.stringify(value)}`)],
  )
  return marks.length ? marks.join(' ') : typeOf(schema, reading)
}

const hasFields = (given: Schema, reading: Reading): boolean => {
  const [schema, inner] = resolved(given, reading)
  return (
    Object.keys(schema.properties ?? {}).length > 0 ||
    [...formsOf(schema), ...(schema.allOf ?? []), ...(schema.items ? [schema.items] : [])].some(one =>
      hasFields(one, inner),
    )
  )
}

/** The fields inside a schema as nested lists; empty for plain values. */
function innerFields(given: Schema, reading: Reading, depth: number): string {
  if (depth > maxDepth || !hasFields(given, reading)) return ''
  const [schema, inner] = resolved(given, reading)
  if (schema.items) return innerFields(schema.items, inner, depth)
  const forms = formsOf(schema).filter(one => !isNull(one) && hasFields(one, inner))
  const own = Object.entries(schema.properties ?? {}).map(([name, field]) =>
    fieldOf(name, field, schema.required?.includes(name) ?? false, inner, depth + 1),
  )
  const list = own.length ? `<ul class="fields">${own.join('')}</ul>` : ''
  const all = (schema.allOf ?? []).map(one => innerFields(one, inner, depth)).join('')
  if (forms.length === 1) return list + all + innerFields(forms[0] as Schema, inner, depth)
  const choices = forms.map(
    one =>
      `<details class="form"><summary>${titleOf(resolved(one, inner)[0], inner)}</summary>${innerFields(one, inner, depth + 1)}</details>`,
  )
  return list + all + choices.join('')
}

/** A schema's fields, for people: name, type, limits, what it is for. */
export const fieldsOf = (schema: unknown, say: Say, named: Readonly<Record<string, unknown>>): string => {
  const reading = { say, named, within: [] }
  const given = schema as Schema
  return innerFields(given, reading, 0) || `<p class="type">${typeOf(given, reading)}</p>`
}
