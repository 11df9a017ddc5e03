import assert from 'node:assert/strict'
import fc from 'fast-check'
import t from 'tap'
import { type FilePart, partsOfFile, type SlicedFile, textOfPart } from '#client/ui/files/csv-parts.ts'
import { readCsv } from '#shared/people-files/csv.ts'

const fileOf = (bytes: Uint8Array): SlicedFile & { most: number } => {
  const file = {
    size: bytes.length,
    most: 0,
    slice(from: number, to: number) {
      file.most = Math.max(file.most, to - from)
      return { arrayBuffer: async () => Uint8Array.from(bytes.subarray(from, to)).buffer as ArrayBuffer }
    },
  }
  return file
}
const partsOf = async (file: SlicedFile, limits: { maxBytes: number; maxRows: number }): Promise<FilePart[]> => {
  const parts: FilePart[] = []
  for await (const part of partsOfFile(file, limits)) parts.push(part)
  return parts
}
const rowsIn = (text: string) => [...readCsv(text).entries()].flatMap(row => (row ? [row.values] : []))

t.test('the rows of all parts are those of the file, in order, in any format', async t => {
  const cell = fc.oneof(
    fc.string({ maxLength: 8 }).filter(text => text.isWellFormed() && !text.includes('\0')),
    fc.constantFrom('', 'ñandú', '🥐', 'a\nb', 'dijo "hola"', 'x;y', '\r\n'),
  )
  const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.integer({ min: 1, max: 9999 }), cell), { minLength: 1, maxLength: 40 }),
      fc.record({
        end: fc.constantFrom('\n', '\r\n', '\r'),
        hasMark: fc.boolean(),
        endsOpen: fc.boolean(),
        maxRows: fc.integer({ min: 1, max: 9 }),
        maxBytes: fc.integer({ min: 40, max: 400 }),
      }),
      async (rows, { end, hasMark, endsOpen, ...limits }) => {
        const lines = ['teléfono;"no\nta"', ...rows.map(([phone, note]) => `${phone};${quoted(note)}`)].join(end)
        const text = `${hasMark ? '\ufeff' : ''}${lines}${endsOpen ? '' : end}`
        const file = fileOf(new TextEncoder().encode(text))
        const parts = await partsOf(file, limits)
        const found: Record<string, string>[] = []
        for (const part of parts) {
          const own = rowsIn((await textOfPart(file, part)) ?? '')
          assert.equal(own.length, part.rows)
          assert.ok(part.rows <= limits.maxRows)
          assert.ok(part.rows === 1 || part.to - part.from <= limits.maxBytes)
          assert.equal(part.firstRow, found.length + 2)
          found.push(...own)
        }
        assert.deepEqual(found, rowsIn(text))
      },
    ),
  )
  t.pass()
})

t.test('Windows encodings are detected, and binary files reported', async t => {
  const latin = fileOf(Buffer.from('tel;nombre\r\n1155551001;Muñoz\r\n1155551002;Peña\r\n', 'latin1'))
  const parts = await partsOf(latin, { maxBytes: 1000, maxRows: 1 })
  t.same(
    parts.map(({ rows, firstRow }) => [rows, firstRow]),
    [
      [1, 2],
      [1, 3],
    ],
  )
  t.same(rowsIn((await textOfPart(latin, parts[1] as FilePart)) ?? ''), [{ tel: '1155551002', nombre: 'Peña' }])
  const workbook = fileOf(Uint8Array.of(0x50, 0x4b, 3, 4, 0, 0, 10, 0, 0, 10))
  t.equal(await textOfPart(workbook, { headTo: 7, from: 7, to: 10 }), undefined)
})

t.test('a million rows are ten parts of a hundred thousand, without duplicates', async t => {
  const rows = 1_000_000
  const lines = Array.from({ length: rows }, (_, i) => `+54911${String(i).padStart(8, '0')};Ana`)
  const file = fileOf(Buffer.from(`tel;nombre\n${lines.join('\n')}\n`))
  const parts = await partsOf(file, { maxBytes: 8_000_000, maxRows: 100_000 })
  t.same(
    parts.map(one => [one.rows, one.firstRow]),
    Array.from({ length: 10 }, (_, i) => [100_000, 2 + i * 100_000]),
  )
  t.ok(file.most <= 8_000_000)
  const [first] = rowsIn((await textOfPart(file, parts[9] as FilePart)) ?? '')
  t.same(first, { tel: '+5491100900000', nombre: 'Ana' })
})

t.test('of a three-gigabyte file at most a megabyte is read at a time', async t => {
  const bytes = 3 * 2 ** 30
  const line = Buffer.from('+5491155551001,Ana María Paz,una nota que ocupa lugar y nada más\n')
  let most = 0
  let looked = 0
  const stop = new AbortController()
  const file: SlicedFile = {
    size: bytes,
    slice: (from, to) => ({
      async arrayBuffer() {
        most = Math.max(most, to - from)
        looked += 1
        if (looked > 40) stop.abort()
        const chunk = Buffer.alloc(to - from)
        for (let i = 0; i < chunk.length; i += 1) chunk[i] = line[(from + i) % line.length] as number
        return chunk.buffer as ArrayBuffer
      },
    }),
  }
  const found: FilePart[] = []
  await t.rejects(async () => {
    for await (const part of partsOfFile(file, { maxBytes: 8_000_000, maxRows: 100_000, signal: stop.signal }))
      found.push(part)
  })
  t.ok(most <= 2 ** 20)
  t.ok(found.length >= 3)
  t.ok(found.every(({ rows, from, to }) => rows === 100_000 && to - from <= 8_000_000))
})
