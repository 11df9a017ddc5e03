/** Dumps that somebody made to stop the server: each of these took minutes, or all of its memory. */
import { randomBytes } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { gzipSync } from 'node:zlib'
import t, { type Test } from 'tap'
import { openChatwoot } from '#server/features/imports/chatwoot/source.ts'
import { keep, keepId, keptAtMost } from '#server/features/imports/dump/kept.ts'
import { isRow } from '#server/features/imports/dump/lines.ts'
import { openDump } from '#server/features/imports/dump/open.ts'
import { dumpTime } from '#server/features/imports/dump/time.ts'
import { rowMaxChars } from '#server/features/imports/dump/values.ts'
import { forEachName } from '#server/features/imports/reading/names.ts'
import type { OpenRecords } from '#server/features/imports/reading/record-source.ts'
import { openWhaticket } from '#server/features/imports/whaticket/source.ts'
import { openSpill } from '#server/platform/db/sqlite/spill-store.ts'
import { chatwootTables } from '#test/fixtures/dumps/chatwoot.ts'
import { copied, postgresDump, postgresEnd, postgresHead, type Row, type Tables } from '#test/fixtures/dumps/plain.ts'
import { whaticketTables } from '#test/fixtures/dumps/whaticket.ts'
import { countedTurn, countPerTurn, maxPerTurn } from '#test/helpers/loop-turn.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { zipOf } from '#test/helpers/zip-of.ts'

t.setTimeout(fileTimeoutMs)

const bytesOf = (body: Buffer) => ({
  size: body.length,
  async *read(start: number, end: number) {
    for (let at = start; at < end; at += 64 * 1024) {
      await nextTurn()
      yield body.subarray(at, Math.min(at + 64 * 1024, end))
    }
  },
})

const whyOf = async (body: Buffer | string) => {
  const dump = await openDump(bytesOf(Buffer.from(body)))
  const found: string[] = []
  for await (const row of dump.rows(['messages'], { whole: true })) found.push(isRow(row) ? 'row' : row.why)
  dump.close()
  return found
}

/** All records of a dump by kind. */
const recordsIn = async (open: OpenRecords, tables: Tables) => {
  const options = { account: undefined, timeZone: 'UTC', signal: new AbortController().signal }
  const source = await open(bytesOf(Buffer.from(postgresDump(tables))), options)
  const read = async (kind: 'contacts' | 'conversations' | 'messages') => {
    const lines: { text: string; why?: string }[] = []
    for await (const line of source.lines(kind)) lines.push(line)
    return lines
  }
  try {
    const contacts = await read('contacts')
    return { contacts, conversations: await read('conversations'), messages: await read('messages') }
  } finally {
    source.close()
  }
}

/** Rows of a table, the first of them changed. */
const changed = (tables: Tables, name: string, changes: Row): Tables => ({
  ...tables,
  [name]: (tables[name] ?? []).map((row, n) => (n ? row : { ...row, ...changes })),
})
const manyLike = (tables: Tables, name: string, count: number, rowOf: (n: number) => Row): Tables => ({
  ...tables,
  [name]: Array.from({ length: count }, (_, n) => ({ ...tables[name]?.[0], ...rowOf(n) })),
})

t.test('half a million names in a zip are looked at in many turns of the event loop', async t => {
  const most = await countPerTurn(async count => {
    const names = function* () {
      for (let n = 0; n < 500_000; n += 1) {
        count()
        yield `media/${n}.jpg`
      }
    }
    let seen = 0
    await forEachName(
      names(),
      () => {
        seen += 1
      },
      countedTurn(),
    )
    t.equal(seen, 500_000)
  })
  t.ok(most <= maxPerTurn * 500, `${most} names in one turn`)
})

t.test('a statement that never comes to its rows', async t => {
  const body = copied('messages', [{ id: 1, text: 'uno' }])
  const lines = `INSERT INTO x\n${'\n'.repeat(300_000)}`
  t.strictSame(await whyOf(`${postgresHead}\n${lines}\n${body}${postgresEnd}`), ['row'])
})

t.test('a row of empty values is too long, like a row of one', async t => {
  const head = `${postgresHead}\nINSERT INTO messages (id, text) VALUES `
  t.strictSame(await whyOf(`${head}(${','.repeat(rowMaxChars + 10)}),(1,'uno');\n${postgresEnd}`), ['tooLong', 'row'])
})

t.test('a compressed bomb inside a zip is refused for its unpacked size', async t => {
  const one = gzipSync(Buffer.concat([randomBytes(150), Buffer.alloc(64 * 1024)]))
  const zip = await zipOf({ 'dump.sql.gz': Buffer.concat(Array.from({ length: 2_000 }, () => one)) })
  await t.rejects(whyOf(zip), /stopped: zipSize$/)
})

t.test('a phone number or an address of 250,000 characters is read in linear time', async t => {
  const at = '@'.repeat(250_000)
  const { contacts } = await recordsIn(openWhaticket, changed(whaticketTables(), 'Contacts', { number: `${at}\nx` }))
  t.ok(contacts.some(({ why }) => why === 'noNumber'))
  const [first] = (whaticketTables().Messages ?? []) as Row[]
  const address = { mediaType: 'image', mediaUrl: `http://x/${'?public'.repeat(35_000)}\n?` }
  const { messages } = await recordsIn(openWhaticket, { ...whaticketTables(), Messages: [{ ...first, ...address }] })
  t.equal(messages.length, 1)
})

const rowsOfOne = async (t: Test, about: string, open: OpenRecords, tables: Tables) =>
  t.test(about, async t => {
    const { messages } = await recordsIn(open, tables)
    t.ok(messages.length < 300, `${messages.length} messages`)
  })

t.test('tens of thousands of rows of one contact or one message are read within bounds', async t => {
  const chatwoot = chatwootTables()
  await rowsOfOne(
    t,
    'files',
    openChatwoot,
    manyLike(chatwoot, 'attachments', 20_000, id => ({ id, message_id: 1 })),
  )
  const conversation = (id: number) => ({ id: id + 1, contact_id: 1, cached_label_list: 'vip' })
  await rowsOfOne(t, 'conversations', openChatwoot, manyLike(chatwoot, 'conversations', 40_000, conversation))
  const ticket = (id: number) => ({ id: id + 1, contactId: 1 })
  await rowsOfOne(t, 'tickets', openWhaticket, manyLike(whaticketTables(), 'Tickets', 40_000, ticket))
})

t.test('a dump with more labels than are kept in memory is refused', async t => {
  const labels = manyLike(chatwootTables(), 'labels', keptAtMost + 1, id => ({
    id,
    title: `l${id}`,
    account_id: 1,
    color: '',
  }))
  await t.rejects(recordsIn(openChatwoot, labels), /stopped: zipSize$/)
})

t.test('what is held in memory is bounded', async t => {
  const map = new Map<string, { name: string }>()
  keep(map, 'x'.repeat(200), { name: '' })
  t.equal(map.size, 0)
  for (let n = 0; n < keptAtMost; n += 1) keep(map, String(n), { name: 'x'.repeat(600) })
  t.equal(map.get('7')?.name.length, 500)
  keep(map, '7', { name: 'again' })
  t.throws(() => keep(map, 'more', { name: '' }), /zipSize/)
  const ids = new Set(['1', '2'])
  keepId(ids, '2', 2)
  t.throws(() => keepId(ids, '3', 2), /zipSize/)
})

t.test('texts on disk are bounded, and the last ones of an id are found in their order', async t => {
  const spill = openSpill(50)
  t.teardown(() => spill.close())
  for (const text of ['a', 'b', 'c']) spill.add('kind', '1', text)
  spill.set('other', '1', 'one')
  spill.set('other', '1', 'two')
  t.strictSame(
    [spill.last('kind', '1', 2), spill.last('kind', '2', 2), spill.get('other', '1')],
    [['b', 'c'], [], 'two'],
  )
  t.throws(() => {
    for (let n = 0; n < 1_000; n += 1) spill.add('kind', '1', 'x'.repeat(1_000))
  }, /no more room/)
})

t.test('times before WhatsApp existed or far in the future are read as no time', async t => {
  for (const text of ['0000-01-01 00:00:00', '0001-01-01 00:00:00+14', '1970-01-01 00:00:00', '9999-12-31 23:59:59'])
    t.equal(dumpTime(text, 'UTC'), undefined, text)
})
