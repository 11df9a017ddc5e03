import t from 'tap'
import { createSseParser } from '#server/features/upstream/events/sse-parser.ts'
import { heldBytes } from '#test/helpers/held-memory.ts'

const bytes = (text: string) => Buffer.from(text)
const all = (parser: ReturnType<typeof createSseParser>, chunks: readonly Uint8Array[]) =>
  chunks.flatMap(chunk => parser.push(chunk))

const stream =
  '\uFEFF: a comment\n\nid: 1\ndata: {"a":1}\n\nretry: 7\nid:2\r\ndata: uno\r\ndata:dos ñ 🥐\r\n\r\ndata\rid: 3\r\revent: x\ndata: no id\n\nid: 4\n\n'
const expected = [
  { id: '1', data: '{"a":1}', oversized: false },
  { id: '2', data: 'uno\ndos ñ 🥐', oversized: false },
  { id: '3', data: '', oversized: false },
  { id: undefined, data: 'no id', oversized: false },
]

t.test('a stream is read alike, however it is cut into chunks', async t => {
  const whole = bytes(stream)
  t.same(all(createSseParser({ maxChars: 100 }), [whole]), expected)
  for (let at = 0; at <= whole.length; at += 1)
    t.same(
      all(createSseParser({ maxChars: 100 }), [whole.subarray(0, at), whole.subarray(at)]),
      expected,
      `cut at ${at}`,
    )
  t.same(
    all(
      createSseParser({ maxChars: 100 }),
      [...whole].map(byte => Uint8Array.of(byte)),
    ),
    expected,
    'byte by byte',
  )
})

t.test('a message that is too large is skipped, and those around it are read', async t => {
  const large = 'x'.repeat(500)
  for (const [name, text] of [
    ['one line', `id: 2\ndata: ${large}\n\n`],
    ['many lines', `id: 2\n${`data: ${'x'.repeat(20)}\n`.repeat(25)}\n`],
    ['its id after it', `data: ${large}\nid: 2\n\n`],
  ] as const)
    for (const size of [1, 7, 64, 5000]) {
      const whole = bytes(`id: 1\ndata: a\n\n${text}id: 3\ndata: b\n\n`)
      const chunks = Array.from({ length: Math.ceil(whole.length / size) }, (_, i) =>
        whole.subarray(i * size, (i + 1) * size),
      )
      t.same(
        all(createSseParser({ maxChars: 100 }), chunks),
        [
          { id: '1', data: 'a', oversized: false },
          { id: '2', data: '', oversized: true },
          { id: '3', data: 'b', oversized: false },
        ],
        `${name} in chunks of ${size}`,
      )
    }
})

t.test('a line without an end holds no memory', async t => {
  const parser = createSseParser({ maxChars: 1000 })
  const before = heldBytes()
  for (let i = 0; i < 2000; i += 1) t.same(parser.push(Buffer.alloc(64 * 1024, 'x')).length, 0)
  t.ok(heldBytes() - before < 64 * 2 ** 20)
  t.same(parser.push(bytes('\n\ndata: b\n\n')).at(-1), { id: undefined, data: 'b', oversized: false })
})
