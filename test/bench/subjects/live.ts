/**
 * The product with its real stream route, session and hub, and a bell inside: rung by the benchmark, it records and
 * publishes events of one organization as a service would, each in a transaction of its own.
 */
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { buildApp } from '#server/app.ts'
import type { LiveHub } from '#server/messaging/live/hub.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { openPostgres } from '#server/platform/db/postgres/open.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { compose } from '#server/wiring.ts'
import { type Bell, eventOf, ring } from '../parts/bell.ts'
import { answer } from '../parts/child.ts'

const [orgId] = process.argv.slice(2) as [string]
const config = readConfig(process.env)
const log = pino({ level: 'warn' })
const databases = config.postgres
  ? openPostgres(config.postgres, { onLoss: error => log.error(error) })
  : openDatabase(config.databasePath)
const backend = compose({ config, databases, log, selfUrl: () => 'http://127.0.0.1' })
const app = await buildApp(backend)
await app.listen({ host: '127.0.0.1', port: 0, backlog: 4096 })

answer('ring', (bell: Bell) =>
  ring(bell, async padding => {
    const drafts = [
      { type: 'message' as const, number: '5491140000001', data: eventOf(padding), audience: bell.audience },
    ]
    const live = backend.live as LiveHub
    live.publish(await inTransaction(databases, trx => live.record(trx, orgId, drafts)))
  }),
)
answer('streams', () => backend.live.streams)
console.log(`ready: http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
