import type { Gate } from '#server/platform/http/described-calls.ts'

/** Facts that the library's own description of a call lacks or gets wrong. */
export interface CallFact {
  readonly access: Gate
  readonly mayBeNull?: true
  readonly summary: string
  /** Statuses beyond those that follow from access and method. */
  readonly refuses?: readonly number[]
  /** The schema of the query, if ours is stricter than the library's or the library has none. */
  readonly query?: unknown
  readonly body?: unknown
  readonly reply?: unknown
  readonly params?: unknown
  /** The status of success. Default: 200. */
  readonly status?: number
}

export const ref = (name: string) => ({ $ref: `#/components/schemas/Auth${name}` })
export const arraySchema = (items: unknown) => ({ type: 'array', items })
export const object = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

export const text = { type: 'string' }
export const success = object({ success: { type: 'boolean' } })
export const textOrNull = { type: ['string', 'null'] }
