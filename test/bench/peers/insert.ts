/** A webhook receiver with nothing else on bare `pg`: checks the signature, one INSERT and COMMIT each, answers 200. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import Fastify from 'fastify'
import pg from 'pg'

const [connectionString, max, connectionId, appSecret] = process.argv.slice(2) as [string, string, string, string]
const pool = new pg.Pool({ connectionString, max: Number(max) })

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
  // A statement outside a transaction is one with its own COMMIT.
  await pool.query({
    name: 'journal',
    text: 'insert into webhook_journal (connection_id, received_at, raw, state) values ($1, $2, $3, 0)',
    values: [connectionId, new Date().toISOString(), raw],
  })
  return 'ok'
})
await app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })
console.log(`ready: http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
