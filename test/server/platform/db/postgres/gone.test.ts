import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t from 'tap'
import { migrate } from '#server/platform/db/migrate.ts'
import { freePort, ServerProcess } from '#test/crash/server-process.ts'
import { aMember, testSecret } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { startPostgres } from '#test/helpers/postgres.ts'
import { openUrl } from '#test/helpers/postgres-db.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

t.test('after the server crashed and came back the next call is answered, and nothing is stored twice', async t => {
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  const databases = openUrl(`postgres://postgres@127.0.0.1:${postgres.port}/postgres`)
  await migrate(databases.write)
  const backend = await startBackend(t, { databases })
  const { cookie } = await aMember({ databases })
  const add = (label: string) =>
    backend.inject({ method: 'POST', url: '/api/whatsapp/tags', headers: { cookie }, payload: { label } })
  t.equal((await add('Mayorista')).statusCode, 201)
  await postgres.crash()
  t.equal((await add('Minorista')).statusCode, 503)
  t.equal((await backend.inject({ url: '/readyz' })).statusCode, 503)
  await postgres.startAgain()
  t.equal((await add('Minorista')).statusCode, 201)
  const labels = await databases.read.selectFrom('tag').select('label').orderBy('label').execute()
  t.same(labels, [{ label: 'Mayorista' }, { label: 'Minorista' }])
  backend.clock.advance(5_000)
  t.equal((await backend.inject({ url: '/readyz' })).statusCode, 200)
  await backend.close()
  await databases.close()
})

t.test('two processes whose database is gone stop cleanly when asked to', async t => {
  const postgres = await startPostgres()
  t.teardown(() => postgres.stop())
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-gone-'))
  t.teardown(() => rmSync(dataDir, { recursive: true, force: true }))
  const ports = [await freePort(), await freePort()]
  const servers = ports.map(
    port =>
      new ServerProcess(port, {
        DATA_DIR: dataDir,
        AUTH_SECRET: testSecret,
        PUBLIC_URL: `http://127.0.0.1:${ports[0]}`,
        DATABASE_URL: `postgres://postgres@127.0.0.1:${postgres.port}/recado`,
      }),
  )
  t.teardown(() => Promise.all(servers.map(server => server.kill())))
  const maintenance = openUrl(`postgres://postgres@127.0.0.1:${postgres.port}/postgres`)
  await maintenance.write.executeQuery({ sql: 'create database recado', parameters: [] } as never)
  await maintenance.close()
  await Promise.all(servers.map(server => server.start()))
  await postgres.crash()
  for (const server of servers) {
    const { status } = await fetch(`${server.url}/webhooks/whatsapp/nobody`, { method: 'POST', body: '{}' })
    t.equal(status, 503)
  }
  t.same(await Promise.all(servers.map(server => server.stop())), [0, 0])
})
