/**
 * A webhook receiver with nothing else: checks the signature, writes the row, answers 200 when it is on disk.
 * `single`: a commit per request. `group`: one commit for all that came in a turn of the event loop.
 */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import Sqlite from 'better-sqlite3'
import Fastify from 'fastify'

const [, , way, path, connectionId, appSecret] = process.argv as string[] as [
  string,
  string,
  'single' | 'group',
  string,
  string,
  string,
]

const db = new Sqlite(path)
db.pragma('journal_mode = WAL')
db.pragma('synchronous = FULL')
const insert = db.prepare('insert into webhook_journal (connection_id, received_at, raw, state) values (?, ?, ?, 0)')
const write = (raw: Buffer) => insert.run(connectionId, new Date().toISOString(), raw)

let batch: { raw: Buffer; done: () => void; failed: (error: unknown) => void }[] = []
const commit = db.transaction((rows: typeof batch) => {
  for (const { raw } of rows) write(raw)
})
const flush = () => {
  const rows = batch
  batch = []
  try {
    commit(rows)
    for (const row of rows) row.done()
  } catch (error) {
    for (const row of rows) row.failed(error)
  }
}
const store = (raw: Buffer): void | Promise<void> => {
  if (way === 'single') return void write(raw)
  return new Promise((done, failed) => {
    if (batch.push({ raw, done, failed }) === 1) setImmediate(flush)
  })
}

const isSigned = (raw: Buffer, header: unknown) => {
  if (typeof header !== 'string' || !header.startsWith('sha256=')) return false
  const given = Buffer.from(header.slice(7), 'hex')
  const ours = createHmac('sha256', appSecret).update(raw).digest()
  return given.length === ours.length && timingSafeEqual(given, ours)
}

const app = Fastify()
app.removeAllContentTypeParsers()
app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
app.post('/webhooks/whatsapp/:connectionId', async (request, reply) => {
  const raw = request.body as Buffer
  if (!isSigned(raw, request.headers['x-hub-signature-256'])) return reply.code(401).send()
  await store(raw)
  return 'ok'
})
await app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
console.log(`ready: http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
