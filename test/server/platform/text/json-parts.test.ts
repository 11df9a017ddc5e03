import fc from 'fast-check'
import t from 'tap'
import { JsonTooLarge } from '#server/platform/text/json.ts'
import { JsonList, openJson, parsedWhole, valuesAtOnce } from '#server/platform/text/json-parts.ts'

const open = (json: string, maxValues = 1_000_000) => openJson(Buffer.from(json), maxValues)

/** The whole value, with each long list read to its end. */
const walk = (value: unknown): unknown => {
  if (value instanceof JsonList) return [...value].map(walk)
  if (Array.isArray(value)) return value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, walk(inner)]))
}
const filler = Array(valuesAtOnce).fill('{ }').join(' ,\n')
const fillerParsed = Array(valuesAtOnce).fill({})

t.test('a large text gives the same value as parsing it whole, in any spacing', async t => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 1, '\t'), (value, space) => {
      const json = JSON.stringify({ 'a"\\{': value, list: [value, [value, value]] }, null, space)
      const large = ` {"first":${json},"filler":[${filler}],\n"last" : [${Array(3).fill(json).join(',')}, [${filler}]]} `
      t.same(walk(open(large).value), {
        first: JSON.parse(json),
        filler: fillerParsed,
        last: [...Array(3).fill(JSON.parse(json)), fillerParsed],
      })
    }),
    { numRuns: 20 },
  )
})

t.test('a long list is parsed while it is read, not before', async t => {
  const element = JSON.stringify({ id: 1, list: Array(50).fill(0) })
  const { value, parsed } = open(`{"list":[${Array(1000).fill(element).join(',')}]}`)
  t.ok(parsed() < 100)
  const counts: number[] = []
  let before = parsed()
  for (const _ of (value as { list: JsonList }).list) {
    counts.push(parsed() - before)
    before = parsed()
  }
  t.equal(counts.length, 1000)
  t.ok(Math.max(...counts) < 60)
})

t.test('no step parses more than its limit, whatever the shape', async t => {
  const fields = (count: number) => `{${Array.from({ length: count }, (_, i) => `"k${i}":1`).join(',')}}`
  const shapes = {
    'one object of many fields': fields(100_000),
    'objects in an object': `{${Array.from({ length: 100 }, (_, i) => `"k${i}":${fields(900)}`).join(',')}}`,
    'large objects in an object': `{${Array.from({ length: 10 }, (_, i) => `"k${i}":${fields(10_000)}`).join(',')}}`,
    'one element of many fields': `[${fields(100_000)},1]`,
    'lists in lists': `[[[${filler}],[${filler}]],[${filler}]]`,
    'deeper than it is opened': `${'['.repeat(40)}${filler}${']'.repeat(40)}`,
  }
  for (const [name, json] of Object.entries(shapes)) {
    const { value, parsed } = open(json)
    t.ok(parsed() <= 2 * valuesAtOnce, `${name}: opened with ${parsed()}`)
    if (!(value instanceof JsonList)) continue
    for (const element of value) {
      const before = parsed()
      parsedWhole(element)
      t.ok(parsed() - before <= valuesAtOnce, `${name}: ${parsed() - before}`)
    }
  }
})

t.test('a part that is too large or malformed becomes its text and affects nothing else', async t => {
  const { value } = open(`{"good":{"a":1},"list":[{"id":1},{"id":tru},{"id":3},${filler}],"after":[1]}`)
  const { good, list, after } = value as { good: unknown; list: JsonList; after: unknown }
  t.same([good, after], [{ a: 1 }, [1]])
  t.same([...list].slice(0, 3), [{ id: 1 }, '{"id":tru}', { id: 3 }])
  const missing = open(`{"list":[{"id":1} {"id":2},${filler}]}`).value as { list: JsonList }
  const [first, ...rest] = missing.list
  t.equal(rest.length, 0)
  t.match(first, /^\{"id":1\} \{"id":2\},/)
  const [element] = open(`[[${filler},${filler}]]`).value as JsonList
  t.ok(element instanceof JsonList)
  t.equal(parsedWhole(element), element)
  t.ok(JSON.stringify(element).length < 20_000)
})

t.test('invalid JSON and too many values give different errors, in a large text', async t => {
  for (const broken of [`[${filler}`, `[${filler}}`, `[${filler}] x`, `[${filler},"open]`, `${filler}]`])
    t.throws(() => open(broken), SyntaxError)
  t.throws(() => open(`[${filler}]`, 100), JsonTooLarge)
})

t.test(
  'long integers keep their digits in a long list, and property names of JavaScript are ordinary keys',
  async t => {
    const { value } = open(`{"__proto__":[12345678901234567890],"list":[12345678901234567890,${filler}]}`)
    t.same(Object.entries(value as object)[0], ['__proto__', ['12345678901234567890']])
    const [first] = (value as { list: JsonList }).list
    t.equal(first, '12345678901234567890')
  },
)
