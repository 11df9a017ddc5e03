/**
 * The product with a probe inside: asked, it tells the longest turn of the event loop since it was last asked, in the
 * processor time of its thread, which no busy machine disturbs, and beside it by the clock.
 */
import type { AddressInfo } from 'node:net'
import { pino } from 'pino'
import { buildApp } from '#server/app.ts'
import { listRoutes } from '#server/cli/route-list.ts'
import { listAllowedRoutes } from '#server/identity/auth/calls/allowed-routes.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { installBuiltWeb } from '#server/web/install.ts'
import { compose } from '#server/wiring.ts'
import { connectionKeys } from '#test/helpers/connection-keys.ts'
import { answer } from '../parts/child.ts'

const config = readConfig(process.env)
const databases = openDatabase(config.databasePath)
const backend = compose({ config, databases, log: pino({ level: 'silent' }), selfUrl: () => url() })
const app = await buildApp(backend, { web: installBuiltWeb })
const url = () => `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
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
  await backend.derive.drain()
  return true
})
answer('idle', async () => {
  await backend.jobs.idle()
  return true
})
/** Everything that waits is due now, and done. */
const runAll = async () => {
  for (let round = 0; round < 3; round += 1) {
    await databases.write
      .updateTable('job')
      .set({ due_at: '2000-01-01T00:00:00.000Z' })
      .where('state', '=', 'scheduled')
      .execute()
    backend.jobs.wake()
    await backend.jobs.idle()
    await backend.derive.drain()
  }
}
answer('startJobs', async () => {
  backend.jobs.start()
  await backend.maintenance.start()
  return true
})
answer('runAll', async () => {
  await runAll()
  return true
})
answer('readAnew', async () => {
  databases.raw.write.exec(
    "insert into message_index (message_index) values ('delete-all'); update search_place set seq = 0",
  )
  await backend.indexing.start()
  await runAll()
  const { seq } = await databases.read.selectFrom('search_place').select('seq').executeTakeFirstOrThrow()
  return seq
})
answer('remove', async ({ orgId }: { orgId: string }) => {
  await backend.removal.hide(orgId)
  await runAll()
  const left = await databases.read.selectFrom('message').select('seq').where('org_id', '=', orgId).limit(1).execute()
  return left.length
})
const namesOf = (schema: object | undefined) =>
  Object.keys((schema as { properties?: object } | undefined)?.properties ?? {})

answer('facts', async () => ({
  calls: (await listRoutes()).flatMap(({ method, url, endpoint }) =>
    endpoint && (method === 'GET' || endpoint.body)
      ? [
          {
            method,
            url,
            bodyLimit: endpoint.bodyLimit,
            bodyValues: endpoint.bodyValues,
            query: namesOf(endpoint.query),
          },
        ]
      : [],
  ),
  auth: listAllowedRoutes(),
}))
answer('keys', async ({ slug }: { slug: string }) => {
  const org = await databases.read.selectFrom('organization').select('id').where('slug', '=', slug).executeTakeFirst()
  const number = await databases.read
    .selectFrom('sandbox_number')
    .selectAll()
    .where('org_id', '=', org?.id ?? '')
    .executeTakeFirst()
  return { ...(await connectionKeys(backend, org?.id ?? '')), appId: number?.app_id }
})
console.log(`ready: ${url()}`)
