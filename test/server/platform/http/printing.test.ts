import fastJson from 'fast-json-stringify'
import t from 'tap'
import { type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import { printerOf } from '#server/platform/http/printing.ts'
import { api } from '#shared/api.ts'
import type { EndpointShape } from '#shared/kernel/contract.ts'

t.test('fields that the schema does not have are not serialized', async t => {
  const print = printerOf(Type.Object({ name: Type.String() }))
  t.equal(print({ name: 'Ana', secret: 'x' }), '{"name":"Ana"}')
})

t.test('a schema is compiled once', async t => {
  const schema = Type.Object({})
  t.equal(printerOf(schema), printerOf(schema))
})

t.test('every schema of every call compiles, which the server does at the first call', async t => {
  for (const [room, endpoints] of Object.entries(api))
    for (const [name, endpoint] of Object.entries(endpoints as Record<string, EndpointShape>)) {
      t.doesNotThrow(() => fastJson(endpoint.reply as never), `${room}.${name} answers`)
      for (const schema of [endpoint.params, endpoint.query, endpoint.body])
        if (schema) t.doesNotThrow(() => Compile(schema as TSchema), `${room}.${name} reads`)
    }
})

/** Serialized by trying shapes, whose checks are compiled during the first answer. */
const severalShapes = ['flowSettings.getSettings', 'flowSettings.setSettings']

t.test('only a few small answers are serialized by trying shapes', async t => {
  const hasSeveral = (schema: unknown): boolean =>
    typeof schema === 'object' &&
    schema !== null &&
    ('anyOf' in schema || 'oneOf' in schema || Object.values(schema).some(hasSeveral))
  const found = Object.entries(api).flatMap(([room, endpoints]) =>
    Object.entries(endpoints as Record<string, EndpointShape>).flatMap(([name, { reply }]) =>
      hasSeveral(reply) ? [`${room}.${name}`] : [],
    ),
  )
  t.same(found.sort(), severalShapes)
})
