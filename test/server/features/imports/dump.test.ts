/** Dumps of databases in plain form, read row by row however their bytes arrive. */
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import t from 'tap'
import { isRow } from '#server/features/imports/dump/lines.ts'
import { openDump } from '#server/features/imports/dump/open.ts'
import { dumpTime } from '#server/features/imports/dump/time.ts'
import { rowMaxChars } from '#server/features/imports/dump/values.ts'
import {
  copied,
  mysqlDump,
  phpMyAdminDump,
  postgresDump,
  postgresEnd,
  postgresHead,
  postgresInserts,
  type Row,
} from '#test/fixtures/dumps/plain.ts'
import { heldBytes } from '#test/helpers/held-memory.ts'

/** A file whose bytes arrive in chunks of this size. */
const bytesOf = (body: Buffer, chunk = 64 * 1024) => ({
  size: body.length,
  async *read(start: number, end: number) {
    for (let at = start; at < end; at += chunk) yield body.subarray(at, Math.min(at + chunk, end))
  },
})

const rowsIn = async (body: Buffer | string, table: string, { names = ['id', 'text'], chunk = 64 * 1024 } = {}) => {
  const dump = await openDump(bytesOf(Buffer.from(body), chunk))
  const rows: unknown[] = []
  for await (const row of dump.rows([table], { whole: true }))
    rows.push(isRow(row) ? names.map(name => row.get(name)) : row.why)
  return rows
}

const odd = [
  "O'Higgins",
  'a\\b',
  'uno\ndos\r\ntres\tcuatro',
  '(1,2);',
  '',
  '\\N',
  "E'x'",
  '\\.',
  '🙂',
  'NULL',
  '"x"',
  '`y`',
]
const rows: Row[] = [
  ...odd.map((text, n) => ({ id: n, text, flag: true, empty: null })),
  { id: 99, text: null, flag: false, empty: null },
]
const expected = rows.map(({ id, text }) => [String(id), text])
const writers = { postgresDump, postgresInserts, mysqlDump, phpMyAdminDump }

for (const [name, write] of Object.entries(writers))
  t.test(`${name}: every text comes out as it went in, wherever the bytes are cut`, async t => {
    const before = [{ id: 1, text: 'otra' }]
    const dump = write({ Antes: before, Messages: rows, despues: before })
    for (const chunk of [1, 7, 64, 100_000])
      t.strictSame(await rowsIn(dump, 'messages', { chunk }), expected, `in chunks of ${chunk}`)
    t.strictSame(await rowsIn(dump.replaceAll('\n', '\r\n').replaceAll('uno\r\ndos', 'uno\ndos'), 'antes'), [
      ['1', 'otra'],
    ])
    t.strictSame(await rowsIn(gzipSync(dump), 'messages'), expected, 'packed')
  })

t.test('texts of any characters are read unchanged from every form of dump', async t => {
  const text = fc.string({ unit: 'binary', maxLength: 30 }).map(one => one.toWellFormed().replaceAll('\0', ''))
  await fc.assert(
    fc.asyncProperty(
      fc.array(text, { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 50 }),
      async (all, chunk) => {
        const given = all.map((one, id) => ({ id, text: one }))
        for (const write of Object.values(writers))
          t.strictSame(
            await rowsIn(write({ Messages: given }), 'messages', { chunk }),
            given.map(({ id, text }) => [String(id), text]),
          )
      },
    ),
    { numRuns: 40, seed: 20_261_129 },
  )
})

t.test('columns are found by name, whatever their order and case; what is missing is empty', async t => {
  const dump = postgresDump({ Messages: [{ fromMe: true, body: 'Hola', id: 5 }] })
  t.strictSame(await rowsIn(dump, 'messages', { names: ['id', 'frome', 'FROMME', 'body'] }), [['5', null, 't', 'Hola']])
})

t.test('rows that cannot be read are named one by one', async t => {
  const long = 'x'.repeat(rowMaxChars + 10)
  const block = copied('messages', [
    { id: 1, text: 'uno' },
    { id: 2, text: long },
    { id: 3, text: 'tres' },
  ])
  const broken = block.replace('3\ttres', '3\ttres\tcuatro\n4')
  t.strictSame(await rowsIn(`${postgresHead}\n${broken}${postgresEnd}`, 'messages'), [
    ['1', 'uno'],
    'tooLong',
    'record',
    'record',
  ])
  const inserted = mysqlDump({
    messages: [
      { id: 1, text: 'uno' },
      { id: 2, text: long },
      { id: 3, text: 'tres' },
    ],
  })
  t.strictSame(await rowsIn(inserted, 'messages'), [['1', 'uno'], 'tooLong', ['3', 'tres']])
})

t.test('a line of many megabytes is not held in memory', async t => {
  const head = Buffer.from(`${postgresHead}\nCOPY public.messages (id, text) FROM stdin;\n1\tuno\n2\t`)
  const tail = Buffer.from(`\n3\ttres\n\\.\n${postgresEnd}`)
  const megabytes = 300
  const before = heldBytes()
  let held = Number.NEGATIVE_INFINITY
  const dump = await openDump({
    size: head.length + megabytes * 1024 ** 2 + tail.length,
    async *read(start, end) {
      yield head
      if (start === 0 && end < 100) return
      for (let n = 1; n <= megabytes; n += 1) {
        yield Buffer.alloc(1024 ** 2, 'x')
        if (n % 50 === 0) held = Math.max(held, heldBytes() - before)
      }
      yield tail
    },
  })
  const found: unknown[] = []
  for await (const row of dump.rows(['messages'], { whole: true })) found.push(isRow(row) ? row.get('id') : row.why)
  t.strictSame(found, ['1', 'tooLong', '3'])
  t.ok(held < 64 * 1024 ** 2, `${Math.round(held / 1024 ** 2)} MB held`)
})

t.test('a dump is read in the encoding that it states; an unknown or wrong one is refused', async t => {
  const dump = postgresDump({ messages: [{ id: 1, text: 'ñandú' }] })
  t.strictSame(
    await rowsIn(Buffer.from(`\ufeff${dump}`, 'utf16le'), 'messages'),
    [['1', 'ñandú']],
    'as PowerShell writes it',
  )
  const latin = Buffer.from(dump.replace("'UTF8'", "'LATIN1'"), 'latin1')
  t.strictSame(await rowsIn(latin, 'messages'), [['1', 'ñandú']], 'as it states')
  await t.rejects(rowsIn(Buffer.from(dump, 'latin1'), 'messages'), /stopped: encoding$/, 'another than it states')
  await t.rejects(rowsIn(dump.replace("'UTF8'", "'EUC_JP'"), 'messages'), /stopped: encoding$/, 'one that is not known')
})

t.test('files that are no dump, or not whole, say so', async t => {
  const dump = postgresDump({ messages: rows })
  const cases: readonly (readonly [string, Buffer | string, string])[] = [
    ['a text', 'hola\nqué tal\n', 'notDump'],
    ['nothing', '', 'notDump'],
    ['SQL that is no dump', 'select 1;\nupdate x set y = 1;\n', 'notDump'],
    ['any bytes', Buffer.from(Array.from({ length: 5_000 }, (_, n) => (n * 31) % 251)), 'notDump'],
    ['a custom format', Buffer.concat([Buffer.from('PGDMP'), Buffer.alloc(500, 7)]), 'dumpFormat'],
    ['cut off in a row', dump.slice(0, dump.indexOf('uno')), 'cutOff'],
    ['cut off between tables', dump.slice(0, dump.indexOf(postgresEnd)), 'cutOff'],
    ['MySQL, cut off', mysqlDump({ messages: rows }).slice(0, -40), 'cutOff'],
    ['MySQL, cut off in a row', mysqlDump({ messages: rows }).slice(0, -120), 'cutOff'],
    ['packed and cut off', gzipSync(dump).subarray(0, 200), 'cutOff'],
    ['a bomb', gzipSync(Buffer.alloc(128 * 1024 ** 2)), 'zipSize'],
  ]
  for (const [name, body, failure] of cases)
    await t.rejects(rowsIn(body, 'messages'), new RegExp(`stopped: ${failure}$`), name)
})

t.test('times of a dump are read with their offset, otherwise in the zone of its database', async t => {
  t.equal(dumpTime('2024-03-14 12:01:01.5', 'UTC'), '2024-03-14T12:01:01.500Z')
  t.equal(dumpTime('2024-03-14 12:01:01', 'America/Argentina/Buenos_Aires'), '2024-03-14T15:01:01.000Z')
  t.equal(dumpTime('2024-03-14 12:01:01.123456+00', 'America/Argentina/Buenos_Aires'), '2024-03-14T12:01:01.123Z')
  t.equal(dumpTime('2024-03-14T12:01:01-03:30', 'UTC'), '2024-03-14T15:31:01.000Z')
  t.equal(dumpTime('2024-03-14T12:01:01-0330', 'UTC'), '2024-03-14T15:31:01.000Z')
  for (const none of ['ayer', '', null, '0000-00-00 00:00:00', 'infinity', '2024-13-40 00:00:00'])
    t.equal(dumpTime(none, 'UTC'), undefined, String(none))
})
