import type { Json } from '../scalars.ts'
import { paramError } from './graph-error.ts'

/** The top-level names in `fields=a,b{c,d}`; undefined: none requested. */
export function readFields(fields: unknown): string[] | undefined {
  if (typeof fields !== 'string' || fields.trim() === '') return undefined
  let depth = 0
  let text = ''
  for (const sign of fields) {
    if (sign === '{' || sign === '(') depth += 1
    else if (sign === '}' || sign === ')') depth -= 1
    else if (depth === 0) text += sign
  }
  return text
    .split(',')
    .map(name => name.replace(/\..*$/, '').trim())
    .filter(Boolean)
}

export interface Node {
  type: string
  id: string
  usual: readonly string[]
  fields: Readonly<Record<string, unknown>>
}

/** @see Meta, "Error codes" */
export const unknownField = (name: string, type: string) =>
  paramError(`Tried accessing nonexisting field (${name}) on node type (${type})`)

/** The requested fields, or the default ones, and `id`. @throws GraphError 100 for an unknown field */
export function selectFields({ type, id, usual, fields }: Node, asked: string[] | undefined): Json {
  const names = asked ?? usual
  const refused = names.find(name => name !== 'id' && !Object.hasOwn(fields, name))
  if (refused !== undefined) throw unknownField(refused, type)
  return { ...Object.fromEntries(names.filter(name => name !== 'id').map(name => [name, fields[name]])), id }
}
