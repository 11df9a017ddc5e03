import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'

const hour = 3_600_000

t.test('a connected number’s templates are read soon and every six hours, a disconnected one’s never', async t => {
  const backend = await startBackend(t)
  const { databases, clock } = backend
  const { cookie } = await aMember({ databases })
  const ask = (method: 'POST' | 'DELETE', url: string) => backend.inject({ method, url, headers: { cookie } })
  const later = async (ms: number) => {
    clock.advance(ms)
    await backend.parts.jobs.idle()
  }
  const readAt = async () =>
    (await databases.read.selectFrom('template_sync').select('synced_at').executeTakeFirst())?.synced_at
  const waiting = () =>
    databases.read
      .selectFrom('job')
      .select(['state', 'due_at'])
      .where('kind', '=', 'templates.sync')
      .where('state', '!=', 'cancelled')
      .execute()
  t.equal((await ask('POST', '/api/whatsapp/connection/sandbox')).statusCode, 200)
  t.equal(await readAt(), undefined)
  await later(5_000)
  const first = await readAt()
  t.ok(first)
  t.same(await waiting(), [
    { state: 'scheduled', due_at: new Date(Date.parse(first as string) + 6 * hour).toISOString() },
  ])
  await later(6 * hour)
  t.not(await readAt(), first)
  t.ok((await ask('DELETE', '/api/whatsapp/connection')).statusCode < 300)
  await later(5_000)
  t.same(await waiting(), [])
})
