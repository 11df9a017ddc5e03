import { fold } from '#shared/kernel/fold.ts'
import { type OrgVariables, orgVariables } from '#shared/orgs/variables.ts'

/**
 * Variables known in every flow; its own are `flujo.NAME`, those of contact fields `contacto.NAME`. `agente.nombre`:
 * the conversation's assignee, empty if there is none.
 */
export const builtInVariables: readonly string[] = [
  'contacto.nombre',
  'contacto.telefono',
  'agente.nombre',
  ...orgVariables,
  'ultimo_mensaje',
]
/** Values independent of the customer's messages, with the contact fields that a flow uses. */
export type StandingValues = OrgVariables & {
  readonly [name in 'contacto.nombre' | 'contacto.telefono' | 'agente.nombre']: string
} & { readonly [field: `contacto.${string}`]: string }
export type BuiltInValues = StandingValues & { readonly ultimo_mensaje: string }

/** The variable of a contact field, derived from its label; undefined if the label has no usable letter. */
const fieldVariable = (label: string): `contacto.${string}` | undefined => {
  const name = fold(label)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_$/g, '')
    .slice(0, 40)
  return name ? `contacto.${name}` : undefined
}

/** The values by variable name. If two fields have the same name, the first one counts. */
export function fieldValues(
  fields: readonly { readonly label: string; readonly value: string | null }[],
): Record<`contacto.${string}`, string> {
  const values: Record<`contacto.${string}`, string> = {}
  for (const { label, value } of fields) {
    const name = fieldVariable(label)
    const isTaken = name === undefined || Object.hasOwn(values, name) || builtInVariables.includes(name)
    if (!isTaken) values[name] = value ?? ''
  }
  return values
}

/** A flow's own variables by name, without `flujo.`. */
export type FlowVariables = Readonly<Record<string, string>>

/** The maximum length of a composed text. */
export const variableMaxChars = 4096

const reference = /\{\{\s*([a-z][a-z0-9_.]{0,59})\s*(?:\|([^{}]{0,200}))?\}\}/g

/** The variables a text uses, in order. */
export const variablesIn = (text: string): string[] => [...text.matchAll(reference)].map(([, name]) => name as string)

/** The part of a text that is always there. */
const withoutVariables = (text: string): string => text.replace(reference, '')

/**
 * The characters of a text without its variables. A text that gets too long with their values is cut when it is sent.
 */
export const ownLength = (text: string): number => [...withoutVariables(text)].length

/** Splits a text into its variables and the parts between them. */
export const partsOf = (text: string): (string | { readonly name: string; readonly otherwise: string })[] => {
  const parts: (string | { name: string; otherwise: string })[] = []
  let from = 0
  for (const { 0: whole, 1: name = '', 2: otherwise = '', index } of text.matchAll(reference)) {
    parts.push(text.slice(from, index), { name, otherwise })
    from = index + whole.length
  }
  return [...parts, text.slice(from)].filter(part => part !== '')
}

/** The value of a variable; undefined: there is none. */
export const variableValue = (name: string, own: FlowVariables, builtIn: BuiltInValues): string | undefined => {
  if (name.startsWith('flujo.')) {
    const key = name.slice('flujo.'.length)
    return Object.hasOwn(own, key) ? own[key] : undefined
  }
  return Object.hasOwn(builtIn, name) ? (builtIn as Readonly<Record<string, string>>)[name] : undefined
}

/**
 * A text with its values filled in: `{{contacto.nombre|cliente}}`. A missing or empty value is replaced by its default,
 * or by nothing; braces inside values are not replaced again. The result has at most `most` UTF-16 units.
 */
export const fillIn = (
  text: string,
  own: FlowVariables,
  builtIn: BuiltInValues,
  most: number = variableMaxChars,
): string => {
  let filled = ''
  for (const part of partsOf(text)) {
    filled += typeof part === 'string' ? part : (variableValue(part.name, own, builtIn) || part.otherwise).trim()
    if (filled.length >= most) break
  }
  return filled.slice(0, most)
}

/** Every name in the graph that could be a variable; may contain too many, never too few. */
export const namesInGraph = (graph: object): string[] => [
  ...new Set(JSON.stringify(graph).match(/\b(?:contacto|agente|org)\.[a-z][a-z0-9_]*/g) ?? []),
]
