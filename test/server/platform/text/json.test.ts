import fc from 'fast-check'
import t from 'tap'
import { endOfText, JsonTooLarge, measureJson, parseExact } from '#server/platform/text/json.ts'

const measure = (json: string) => measureJson(Buffer.from(json))
const parse = (json: string, maxValues = 1000) => parseExact(Buffer.from(json), maxValues)

const countValues = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, inner) => sum + countValues(inner), 1)
    : 1
const depthOf = (value: unknown): number =>
  typeof value === 'object' && value !== null ? 1 + Math.max(0, ...Object.values(value).map(depthOf)) : 0

t.test('the count is never less than the parsed values', async t => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const { values, depth } = measure(JSON.stringify(value))
      return values >= countValues(value) && depth === depthOf(value)
    }),
  )
  t.match(measure('"[{,\\"[{"'), { values: 1, depth: 0 }, 'brackets in a string do not count')
  t.match(measure('[[]]]]'), { depth: 2 })
  t.match(measure('"never closed \\'), { values: 1 })
})

t.test('the end of a string is found, however long and whatever its escapes', async t => {
  const byteByByte = (json: Buffer) => {
    let at = 1
    while (at < json.length && json[at] !== 34) at += json[at] === 92 ? 2 : 1
    return at + 1
  }
  const piece = fc.constantFrom(
    'a',
    'ñ'.repeat(40),
    '\\\\',
    '\\"',
    '"',
    '\\',
    'x'.repeat(63),
    'y'.repeat(64),
    'z'.repeat(65),
  )
  const isSame = fc.property(fc.array(piece, { maxLength: 12 }), pieces => {
    const json = Buffer.from(`"${pieces.join('')}`)
    const end = endOfText(json, 0)
    const expected = byteByByte(json)
    return expected > json.length ? end > json.length : end === expected
  })
  t.doesNotThrow(() => fc.assert(isSame, { numRuns: 1000 }))
})

t.test('the end of a long string is searched, not read byte by byte', async t => {
  let read = 0
  const counting = new Proxy(Buffer.from(`"${'a'.repeat(1_000_000)}"`), {
    get(bytes, name) {
      if (typeof name === 'string' && /^\d+$/.test(name)) read += 1
      const value = Reflect.get(bytes, name, bytes)
      return typeof value === 'function' ? value.bind(bytes) : value
    },
  })
  t.equal(endOfText(counting, 0), 1_000_002)
  t.ok(read < 1000, `${read} bytes were read one by one`)
})

t.test('integers beyond 2^53 become their digits, everything else stays what it is', async t => {
  t.same(
    parse(
      '{"a":12345678901234567890,"b":[-12345678901234567890,9007199254740992],"12345678901234567890":"12345678901234567890"}',
    ),
    {
      a: '12345678901234567890',
      b: ['-12345678901234567890', '9007199254740992'],
      '12345678901234567890': '12345678901234567890',
    },
  )
  t.same(parse('[9007199254740991,1.1234567890123456789,1e1234567890123456,1e+1234567890123456,0.1234567890123456]'), [
    9007199254740991,
    1.1234567890123457,
    Number.POSITIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    0.1234567890123456,
  ])
  t.same(parse('"ñ\\\\",'.slice(0, -1)), 'ñ\\')
  fc.assert(
    fc.property(fc.jsonValue({ noUnicodeString: false }), value => {
      t.same(parse(JSON.stringify(value), 1e6), JSON.parse(JSON.stringify(value)))
    }),
  )
})

t.test('invalid JSON and too much JSON give different errors', async t => {
  for (const json of ['', '{', 'hola', '012345678901234567', '[1,]']) t.throws(() => parse(json), SyntaxError)
  t.throws(() => parse('[{},{},{}]', 6), JsonTooLarge)
  t.same(parse('[{},{},{}]', 7), [{}, {}, {}])
})
