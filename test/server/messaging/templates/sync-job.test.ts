import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { aHouse } from '#test/helpers/house.ts'
import { anOldDatabase } from '#test/helpers/old-database.ts'

const hour = 3_600_000

t.test(
  'a number that is connected has its templates read soon and every six hours, one that is not has none',
  async t => {
    const house = await aHouse(t)
    const { databases, clock } = house
    const { cookie } = await aMember({ databases })
    const ask = (method: 'POST' | 'DELETE', url: string) => house.inject({ method, url, headers: { cookie } })
    const later = async (ms: number) => {
      clock.advance(ms)
      await house.house.jobs.idle()
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
  },
)

t.test('lists that were due before they were jobs are read when they were due', async t => {
  const old = await anOldDatabase(t, '20261122T0540')
  const at = '2026-11-20T12:00:00.000Z'
  const dueAt = '2026-11-20T18:00:00.000Z'
  const connect = async (status: string) => {
    const { org } = await aMember({ databases: old.databases })
    await old.insert('wa_connection', {
      id: `c ${org.id}`,
      org_id: org.id,
      kind: 'cloud',
      phone_number_id: org.id,
      waba_id: 'w',
      phone: '5491155550000',
      status,
      created_at: at,
      updated_at: at,
      access_token_sealed: '',
      app_secret_sealed: '',
      verify_token_sealed: '',
    })
    return org.id
  }
  const known = await connect('connected')
  const fresh = await connect('connected')
  await connect('reauthorise')
  await old.insert('template_sync', { org_id: known, waba_id: 'w', due_at: dueAt, synced_at: at })
  await old.upgrade()
  const found = (await old.jobs()).filter(job => job.kind === 'templates.sync')
  t.same(
    new Map(found.map(job => [job.org_id, job.due_at])),
    new Map([
      [known, dueAt],
      [fresh, at],
    ]),
  )
})
