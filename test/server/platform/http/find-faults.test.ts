import t from 'tap'
import { Type } from 'typebox'
import { Errors } from 'typebox/value'
import { findFaults, usesDefault } from '#server/platform/http/find-faults.ts'
import { InvalidInput, readerOf } from '#server/platform/http/validate.ts'
import { flowsApi } from '#shared/flows/api.ts'

const read = readerOf('body', flowsApi.save.body)
const faultsOf = (graph: object | undefined, more: object = {}) => {
  try {
    read({ revision: 1, ...(graph ? { graph: { edges: [], ...graph } } : {}), ...more })
    return []
  } catch (error) {
    if (!(error instanceof InvalidInput)) throw error
    return error.faults.map(({ field, code }) => `${field} ${code}`)
  }
}

t.test('a step with one unknown field gets only that fault', async t => {
  const node = (data: object, type = 'message') => ({ nodes: [{ id: 'a', type, data }] })
  t.same(faultsOf(node({ text: 'Hola', nope: 1 })), ['body.graph.nodes.0.data.nope unknown'])
  t.same(faultsOf(node({ all: [{ variable: 'x', is: 'equals', value: '1', z: 1 }] }, 'condition')), [
    'body.graph.nodes.0.data.all.0.z unknown',
  ])
  t.same(faultsOf(node({}, 'mesage')), ['body.graph.nodes.0.type enum'])
  t.same(faultsOf({ nodes: [{ id: 'a' }] }), ['body.graph.nodes.0.type required'])
  t.same(faultsOf(undefined, { triggers: [{ kind: 'keyword', match: 'equals', words: [], word: 'x' }] }), [
    'body.triggers.0.word unknown',
  ])
  t.same(faultsOf({ nodes: [], edges: [{ source: 'a', target: 'b', sourceHandle: '' }] }), [
    'body.graph.edges.0.sourceHandle minLength',
  ])
})

t.test('a list that is too long gets that fault, and of many faults ten are listed', async t => {
  t.same(faultsOf({ nodes: Array.from({ length: 9800 }, () => ({})) }), ['body.graph.nodes maxItems'])
  t.equal(faultsOf({ nodes: Array.from({ length: 500 }, () => ({})) }).length, 10)
  t.same(faultsOf(undefined, { triggers: Array.from({ length: 3900 }, () => ({ kind: 'x' })) }), [
    'body.triggers maxItems',
  ])
})

t.test('refusing costs less than accepting', async t => {
  const timeOf = (work: () => unknown): number => {
    work()
    const began = process.cpuUsage()
    for (let i = 0; i < 5; i += 1) work()
    const { user, system } = process.cpuUsage(began)
    return (user + system) / 5000
  }
  const good = {
    nodes: Array.from({ length: 500 }, (_, i) => ({ id: `n${i}`, type: 'message', data: { text: 'Hola' } })),
  }
  t.same(faultsOf(good), [])
  const accepted = timeOf(() => faultsOf(good))
  for (const [what, refuse] of [
    ['9,800 empty steps', () => faultsOf({ nodes: Array.from({ length: 9800 }, () => ({})) })],
    ['500 empty steps', () => faultsOf({ nodes: Array.from({ length: 500 }, () => ({})) })],
    [
      '3,900 bad triggers',
      () => faultsOf(undefined, { triggers: Array.from({ length: 3900 }, () => ({ kind: 'x' })) }),
    ],
    [
      '20,000 rules of one step',
      () =>
        faultsOf({
          nodes: [{ id: 'a', type: 'condition', data: { all: Array.from({ length: 20_000 }, () => ({})) } }],
        }),
    ],
  ] as const) {
    const refused = timeOf(refuse)
    t.ok(refused < 6 * accepted + 150, `${what}: ${refused} ms, accepted: ${accepted} ms`)
  }
})

t.test('exactly the inputs that typebox refuses have a fault here', async t => {
  const schema = Type.Object(
    {
      name: Type.String({ minLength: 2 }),
      list: Type.Optional(Type.Array(Type.Union([Type.String(), Type.Null()]), { maxItems: 2 })),
      record: Type.Optional(Type.Record(Type.String({ maxLength: 2 }), Type.Integer(), { maxProperties: 1 })),
      one: Type.Optional(Type.Union([Type.Object({ a: Type.Integer() }), Type.Object({ b: Type.String() })])),
    },
    { additionalProperties: false, minProperties: 1 },
  )
  for (const value of [
    {},
    1,
    null,
    [],
    'x',
    { name: 'a' },
    { name: 'ab' },
    { name: 1 },
    { name: 'ab', list: [1] },
    { name: 'ab', list: ['a', null] },
    { name: 'ab', list: ['a', 'b', 'c'] },
    { name: 'ab', record: { a: 1 } },
    { name: 'ab', record: { a: 'x' } },
    { name: 'ab', record: { a: 1, b: 2 } },
    { name: 'ab', one: { a: 1 } },
    { name: 'ab', one: { a: 'x' } },
    { name: 'ab', one: {} },
    { name: 'ab', one: 3 },
    { name: 'ab', other: 1 },
  ])
    t.equal([...findFaults(schema, value)].length > 0, Errors(schema, value).length > 0, JSON.stringify(value))
})

t.test('defaults are found anywhere in a schema', async t => {
  t.notOk(usesDefault(flowsApi.save.body))
  t.ok(usesDefault(flowsApi.listRuns.query))
  t.ok(
    usesDefault(
      Type.Object({ a: Type.Array(Type.Union([Type.Null(), Type.Object({ b: Type.Integer({ default: 1 }) })])) }),
    ),
  )
})
