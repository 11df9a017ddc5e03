import type { TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { findFaults } from '#server/platform/http/find-faults.ts'

type Json = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

/** Replies say `nullable` where JSON Schema needs a union. */
const withNulls = (schema: unknown): unknown => {
  if (Array.isArray(schema)) return schema.map(withNulls)
  if (!isObject(schema)) return schema
  const { nullable, ...rest } = schema
  const inner = Object.fromEntries(Object.entries(rest).map(([key, value]) => [key, withNulls(value)]))
  return nullable === true ? { anyOf: [inner, { type: 'null' }] } : inner
}

/** The first field that does not fit, such as `items.3.phone`. */
interface Misfit {
  readonly field: string
}

/**
 * Checks answers by the schema of a reply. Fields that it does not have are no fault; they are left out when the answer
 * is printed. Compiled on first use.
 */
export function answerCheck(reply: TSchema): (answer: unknown) => Misfit | undefined {
  let compiled: { schema: TSchema; check: ReturnType<typeof Compile> } | undefined
  return answer => {
    if (!compiled) {
      const schema = withNulls(reply) as TSchema
      compiled = { schema, check: Compile(schema) }
    }
    if (compiled.check.Check(answer)) return undefined
    const [fault] = findFaults(compiled.schema, answer)
    const [missing] = (fault?.params.requiredProperties ?? []) as string[]
    const path = [...(fault?.instancePath ?? '').split('/').filter(Boolean), ...(missing ? [missing] : [])]
    return { field: path.join('.') || 'the whole answer' }
  }
}
