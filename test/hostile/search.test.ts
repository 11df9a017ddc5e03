/** A search reads a bounded part of the data, a little in each turn of the event loop. */
import t from 'tap'
import { findConversationIds } from '#server/messaging/conversations/search/search.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { wholeOrganization } from '#test/helpers/viewers.ts'

const backend = await startBackend(t)
const { owner } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
const { databases } = backend
const [template] = await databases.read.selectFrom('message').selectAll().where('org_id', '=', owner.org.id).execute()

const { seq: _seq, ...message } = template as NonNullable<typeof template>
const atOnce = 100
const write = (texts: readonly string[]) =>
  inTransaction(databases, async trx => {
    const rows = texts.map((text, i) => {
      const id = `${text.slice(0, 4)}-${i}-${texts.length}`
      return { ...message, id, wamid: id, client_key: null, text }
    })
    for (let i = 0; i < rows.length; i += atOnce)
      await trx
        .insertInto('message')
        .values(rows.slice(i, i + atOnce))
        .execute()
  })

/** The most rows and characters of text read in one turn. */
const readPerTurn = async (work: (db: typeof databases.read) => Promise<unknown>) => {
  let rows = 0
  let chars = 0
  const most = { rows: 0, chars: 0, all: 0 }
  const ticking = () => {
    rows = 0
    chars = 0
    ticker = setImmediate(ticking)
  }
  let ticker = setImmediate(ticking)
  const probe = databases.read.withPlugin({
    transformQuery: ({ node }) => node,
    transformResult: async ({ result }) => {
      rows += result.rows.length
      most.all += result.rows.length
      for (const row of result.rows) if (typeof row.text === 'string') chars += row.text.length
      most.rows = Math.max(most.rows, rows)
      most.chars = Math.max(most.chars, chars)
      return result
    },
  })
  try {
    await work(probe)
  } finally {
    clearImmediate(ticker)
  }
  return most
}

t.test('ten thousand texts of sixty thousand characters are read a little in each turn', async t => {
  await write(Array.from({ length: 400 }, () => 'ñ'.repeat(60_000)))
  await write(Array.from({ length: 10_000 }, (_, i) => `breve ${i}`))
  const search = (text: string) => (db: typeof databases.read) =>
    findConversationIds(db, wholeOrganization(owner.org.id), { search: text, archived: false })
  const most = await readPerTurn(search('nowhere at all'))
  t.ok(most.all >= 10_000, `${most.all} rows`)
  t.ok(most.all <= 32_000)
  t.ok(most.rows <= 1000, `${most.rows} rows in one turn`)
  t.ok(most.chars <= 100 * 4096, `${most.chars} characters in one turn`)
})

t.test('text at the beginning of a long message is found', async t => {
  await write([`Aguja ${'x'.repeat(60_000)}`])
  const asked = { search: 'águja', archived: false }
  t.equal((await findConversationIds(databases.read, wholeOrganization(owner.org.id), asked)).length, 1)
})

testOnSqlite('a search reads messages through their indexes', async t => {
  const plan = (sql: string) =>
    (databases.raw.read.prepare(`explain query plan ${sql}`).all() as { detail: string }[])
      .map(row => row.detail)
      .join('\n')
  const texts = plan(
    `select seq, conversation_id, substr(text, 1, 4096) from message where org_id = 'o' and seq > 2 and seq < 9 order by seq desc limit 100`,
  )
  t.notMatch(texts, /SCAN|TEMP B-TREE/)
  const hits = plan(
    `select rowid from message_index where message_index match '"1·0·x" *' order by rowid desc limit 2000`,
  )
  t.notMatch(hits, /TEMP B-TREE/)
  const conversations = plan(`select distinct message.conversation_id from json_each('[1]') as hit
    cross join message on message.seq = hit.value where message.org_id = 'o'`)
  t.match(conversations, /SEARCH message USING INTEGER PRIMARY KEY/)
  const changed = plan(`select conversation_id from message left join media on media.message_id = message.id
    where message.seq in (select seq from search_pending limit 100) and +message.org_id = 'o'`)
  t.match(changed, /SEARCH message USING INTEGER PRIMARY KEY/)
})
