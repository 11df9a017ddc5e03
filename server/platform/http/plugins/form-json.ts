import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { TSchema } from 'typebox'
import { InvalidInput } from '../validate.ts'
import { shapeFaultOf } from './parsers.ts'

const holdsJson = (schema: TSchema | undefined) => {
  const type = (schema as { type?: unknown } | undefined)?.type
  return type === 'object' || type === 'array'
}

/**
 * Parses form fields that stand for an object or a list: their text is JSON, with the same limits as a body.
 * @throws InvalidInput naming the invalid field
 */
export function readsJsonFields(app: FastifyInstance) {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  const parse = (request: FastifyRequest, name: string, text: string): unknown => {
    const fault = shapeFaultOf(request, Buffer.from(text))
    if (fault) throw fault
    let read: unknown
    parseJson(request, text, (error, value) => {
      if (error) throw new InvalidInput([{ field: `body.${name}`, code: 'json', params: {} }])
      read = value
    })
    return read
  }
  return (request: FastifyRequest, body: TSchema | undefined, fields: Readonly<Record<string, string>>) => {
    const { properties = {} } = (body ?? {}) as { properties?: Record<string, TSchema> }
    const entries = Object.entries(fields).map(([name, text]) => {
      const isJson = Object.hasOwn(properties, name) && holdsJson(properties[name])
      return [name, isJson ? parse(request, name, text) : text]
    })
    return Object.fromEntries(entries) as Record<string, unknown>
  }
}
