/**
 * The product with a probe inside: asked, it tells the longest turn of the event loop since it was last asked, in the
 * processor time of its thread, which no busy machine disturbs, and beside it by the clock.
 */
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { buildApp } from '#server/app.ts'
import { listRoutes } from '#server/cli/route-list.ts'
import { compose } from '#server/compose.ts'
import { readConfig } from '#server/config.ts'
import { openDatabase } from '#server/db.ts'
import { answer } from '../parts/child.ts'

const config = readConfig(process.env)
const databases = openDatabase(config.databasePath)
const house = compose({ config, databases, log: pino({ level: 'silent' }), selfUrl: () => 'http://127.0.0.1' })
const app = await buildApp(house)
await app.listen({ host: '127.0.0.1', port: 0 })

const cpuMs = () => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}
let longest = { cpuMs: 0, wallMs: 0 }
let last = { cpu: cpuMs(), wall: performance.now() }
const tick = () => {
  const now = { cpu: cpuMs(), wall: performance.now() }
  if (now.cpu - last.cpu > longest.cpuMs) longest = { cpuMs: now.cpu - last.cpu, wallMs: now.wall - last.wall }
  last = now
  setImmediate(tick)
}
tick()

answer('longest', () => {
  const said = longest
  longest = { cpuMs: 0, wallMs: 0 }
  return said
})
answer('derived', async () => {
  await house.derive.drain()
  return true
})
answer('calls', async () =>
  (await listRoutes()).flatMap(({ method, url, endpoint }) =>
    endpoint?.body ? [{ method, url, bodyLimit: endpoint.bodyLimit, bodyValues: endpoint.bodyValues }] : [],
  ),
)
console.log(`ready: http://127.0.0.1:${(app.server.address() as AddressInfo).port}`)
