import { fold } from '#shared/kernel/fold.ts'
import { type OrgVariables, orgVariables } from '#shared/orgs/variables.ts'

/**
 * What every flow knows of its customer; its own variables are `flujo.NAME`, those of the organization's fields of
 * contacts `contacto.NAME`. `agente.nombre`: whom the conversation is assigned to, empty where it is nobody's.
 */
export const builtInVariables: readonly string[] = [
  'contacto.nombre',
  'contacto.telefono',
  'agente.nombre',
  ...orgVariables,
  'ultimo_mensaje',
]
/** Values that hold whatever the customer writes; with those of fields of contacts, as far as a flow names them. */
export type StandingValues = OrgVariables & {
  readonly [name in 'contacto.nombre' | 'contacto.telefono' | 'agente.nombre']: string
} & { readonly [field: `contacto.${string}`]: string }
export type BuiltInValues = StandingValues & { readonly ultimo_mensaje: string }

/** How texts name a field of contacts, by what people call it; undefined: it has no letter that a name can have. */
const fieldVariable = (label: string): `contacto.${string}` | undefined => {
  const name = fold(label)
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^[^a-z]+|_$/g, '')
    .slice(0, 40)
  return name ? `contacto.${name}` : undefined
}

/** By their names, of which the first that has one keeps it. */
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

/** No text that is put together grows beyond this. */
export const variableMaxChars = 4096

const reference = /\{\{\s*([a-z][a-z0-9_.]{0,59})\s*(?:\|([^{}]{0,200}))?\}\}/g

/** The variables a text names, in their order. */
export const variablesIn = (text: string): string[] => [...text.matchAll(reference)].map(([, name]) => name as string)

/** A text without the variables it names: so much of it is always there. */
const withoutVariables = (text: string): string => text.replace(reference, '')

/** The characters of a text whatever its variables hold. What gets too long with them is cut when it is sent. */
export const lengthOf = (text: string): number => [...withoutVariables(text)].length

/** A text between and around the variables it names. */
export const partsOf = (text: string): (string | { readonly name: string; readonly otherwise: string })[] => {
  const parts: (string | { name: string; otherwise: string })[] = []
  let from = 0
  for (const { 0: whole, 1: name = '', 2: otherwise = '', index } of text.matchAll(reference)) {
    parts.push(text.slice(from, index), { name, otherwise })
    from = index + whole.length
  }
  return [...parts, text.slice(from)].filter(part => part !== '')
}

/** The value between braces; undefined: there is none. */
export const variableValue = (name: string, own: FlowVariables, builtIn: BuiltInValues): string | undefined => {
  if (name.startsWith('flujo.')) {
    const key = name.slice('flujo.'.length)
    return Object.hasOwn(own, key) ? own[key] : undefined
  }
  return Object.hasOwn(builtIn, name) ? (builtIn as Readonly<Record<string, string>>)[name] : undefined
}

/**
 * A text with its values in place: `{{contacto.nombre|cliente}}`. What is missing or empty is its default, else nothing;
 * values are taken as they are, their own braces name nothing. The result has at most `most` UTF-16 units.
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

/** Every name that stands anywhere in what is drawn as a variable could; more than are used, never fewer. */
export const namesOf = (graph: object): string[] => [
  ...new Set(JSON.stringify(graph).match(/\b(?:contacto|agente|org)\.[a-z][a-z0-9_]*/g) ?? []),
]
