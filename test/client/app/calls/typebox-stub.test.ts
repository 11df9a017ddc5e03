import t from 'tap'
import { Type } from '#client/app/calls/typebox-stub.ts'

type Schema = { properties: Record<string, Schema> }
const { Object: object, Array: array } = Type as Record<string, (...args: unknown[]) => Schema>

t.test('a contract can reuse parts of another, also in a bundle', async t => {
  const Message = object?.({ author: object?.({}) })
  const part = Message?.properties.author?.properties.name
  t.ok(part)
  t.strictSame({ ...Message?.properties, found: true }, { found: true }, 'without anything of it in the bundle')
})

t.test('a schema is not a promise and has no values', async t => {
  const list = array?.(object?.({}))
  t.equal(await list, list)
  t.strictSame(JSON.stringify({ list }), '{"list":{}}')
})
