import { existsSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { createRemoval } from '#server/identity/orgs/removal/removal.ts'
import { applyItems } from '#server/messaging/messages/inbound/webhook-items.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { createListeners } from '#server/platform/events/listeners.ts'
import { createWrites } from '#server/platform/events/writes.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { aMessage } from '#test/helpers/items.ts'
import { keptLog } from '#test/helpers/log.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'
import { rowsOfOrg } from '#test/helpers/rows.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'
import { keptWrites } from '#test/helpers/writes.ts'
import { aMachine } from '#test/server/platform/jobs/stage.ts'

/** An organization without members. */
const anOrg = async (databases: Databases, createdAt: string, slug = newId()) => {
  const id = newId()
  await databases.write
    .insertInto('organization')
    .values({ id, name: 'A medias', slug, logo: null, createdAt, metadata: null })
    .execute()
  return id
}

/** The job alone, on its own database. */
const aJob = async (
  t: Test,
  options: { databases?: Databases; removeFiles?: (orgId: string) => Promise<void> } = {},
) => {
  const databases = options.databases ?? (await freshDatabases())
  const clock = handClock()
  const log = keptLog()
  const files: string[] = []
  const writes = createWrites({ databases, log, listeners: createListeners() })
  const machine = aMachine()
  const make = () => {
    const jobs = createJobs({ databases, writes, clock, log, ids: newId, host: machine.host() })
    const removal = createRemoval({
      databases,
      clock,
      log,
      jobs,
      forgetNumbers: () => {},
      removeFiles: options.removeFiles ?? (async orgId => void files.push(orgId)),
    })
    t.teardown(() => jobs.stop())
    return {
      ...removal,
      jobs,
      async later(ms: number) {
        clock.advance(ms)
        await jobs.idle()
      },
    }
  }
  const removal = make()
  removal.jobs.start()
  const count = async (table: 'message' | 'organization', orgId: string) =>
    (
      await databases.read
        .selectFrom(table)
        .select('id')
        .where(table === 'message' ? 'org_id' : 'id', '=', orgId)
        .execute()
    ).length
  return { databases, clock, log, files, make, removal, count }
}

const remaining = (rows: Awaited<ReturnType<typeof rowsOfOrg>>) =>
  Object.entries(rows).flatMap(([table, { length }]) => (length ? [`${table}: ${length}`] : []))

t.test('a deleted organization is hidden at once and its rows follow; others are untouched', async t => {
  const backend = await startBackend(t)
  const { databases } = backend
  const [gone, stays] = [
    await aNeighbour(backend, { orgName: 'La que se va', customer: '5491155550101' }),
    await aNeighbour(backend, { orgName: 'La que queda', customer: '5491155550202' }),
  ]
  const { org } = gone.owner
  const folder = join(backend.dataDir, 'media', org.id)
  t.ok(existsSync(folder), 'it has files')
  const connection = await databases.read
    .selectFrom('wa_connection')
    .select('id')
    .where('org_id', '=', org.id)
    .executeTakeFirstOrThrow()
  t.ok(await backend.parts.numbers.findByConnectionId(connection.id), 'its keys are in memory')
  await databases.write
    .insertInto('idempotency')
    .values({ org_id: org.id, caller: 'x', key: 'x', endpoint: '', request_hash: '', created_at: '' })
    .execute()
  const others = await rowsOfOrg(databases, stays.owner.org.id)
  const remove = (cookie: string) =>
    backend.inject({
      method: 'POST',
      url: '/api/auth/organization/delete',
      headers: { cookie, 'content-type': 'application/json' },
      payload: JSON.stringify({ organizationId: org.id }),
    })
  const admin = await aMember({ databases, org, role: 'admin' })
  t.equal((await remove(admin.cookie)).statusCode, 403, 'only an owner can')
  t.equal((await remove(stays.owner.cookie)).statusCode, 403)

  const answer = await remove(gone.owner.cookie)
  t.match([answer.statusCode, answer.json()], [200, { id: org.id, name: 'La que se va', deletesAt: /^\d{4}-/ }])
  const { deletesAt } = answer.json()
  const listed = await backend.inject({ url: '/api/auth/organization/list', headers: { cookie: gone.owner.cookie } })
  t.match(listed.json(), [{ id: org.id, deletesAt }], 'and the list shows when')
  t.ok(await databases.read.selectFrom('org_deletion').selectAll().where('org_id', '=', org.id).executeTakeFirst())
  await backend.parts.removal.hide(org.id)
  const as = { cookie: gone.owner.cookie, 'x-organization': org.id }
  t.equal((await backend.inject({ url: '/api/whatsapp/conversations', headers: as })).statusCode, 403)
  t.match((await backend.inject({ url: '/api/viewer', headers: as })).json(), { organizations: [], active: null })
  const slug = await backend.inject({ url: `/api/organizations/slug/${org.slug}`, headers: as })
  t.match(slug.json(), { available: true }, 'its slug is available')
  const webhook = await backend.inject({ method: 'POST', url: `/webhooks/whatsapp/${connection.id}`, payload: '{}' })
  t.equal(webhook.statusCode, 401)
  t.equal(await backend.parts.numbers.findByConnectionId(connection.id), undefined, 'nor in memory')

  await backend.parts.jobs.idle()
  t.same(remaining(await rowsOfOrg(databases, org.id)), [])
  t.notOk(existsSync(folder))
  t.same(await rowsOfOrg(databases, stays.owner.org.id), others)
  t.same(backend.errors(), [])
})

t.test('many rows are deleted in batches, and a restart continues', async t => {
  const job = await aJob(t)
  const { databases, clock, count } = job
  const { id } = (await aMember({ databases })).org
  const number = { phone_number_id: '106540352242922', waba_id: '1', phone: '15550783881' }
  const keys = { access_token_sealed: 'x', app_secret_sealed: 'x', verify_token_sealed: 'x' }
  const times = { created_at: clock.now().toISOString(), updated_at: clock.now().toISOString() }
  await databases.write
    .insertInto('wa_connection')
    .values({ id: newId(), org_id: id, kind: 'cloud', status: 'connected', ...number, ...keys, ...times })
    .execute()
  const items = Array.from({ length: 1000 }, (_, i) => aMessage({ sender: { waId: `5491155${500_000 + (i % 120)}` } }))
  await keptWrites({ databases, clock }).tell(id, write => applyItems(write, items, { clock, ids: newId }))
  t.equal(await count('message', id), 1000)
  t.ok(await job.removal.hide(id))
  t.notOk(await job.removal.hide(id), 'it is announced once')
  while ((await count('message', id)) === 1000) await new Promise(resolve => setImmediate(resolve))
  await job.removal.jobs.stop()
  t.equal(await count('organization', id), 1)
  t.ok((await count('message', id)) > 0, 'it was interrupted in the middle')
  const next = job.make()
  next.jobs.start()
  await next.jobs.idle()
  t.same(remaining(await rowsOfOrg(databases, id)), [])
  t.same(job.files, [id])
  t.same(job.log.lines('error'), [])
})

t.test('an error is logged and the job retried', async t => {
  let fails = true
  const removeFiles = async () => {
    if (fails) throw new Error('disk')
  }
  const job = await aJob(t, { removeFiles })
  const { id } = (await aMember({ databases: job.databases })).org
  await job.removal.hide(id)
  await job.removal.jobs.idle()
  t.equal(job.log.lines('error').length, 1)
  t.equal(await job.count('organization', id), 1)
  fails = false
  await job.removal.later(30_000)
  t.equal(await job.count('organization', id), 0)
})

t.test('an organization whose creation was interrupted is deleted after a start; others stay', async t => {
  const databases = await freshDatabases()
  const before = '2026-11-20T12:59:59.000Z'
  const make = (createdAt: string) => anOrg(databases, createdAt)
  const [dead, busy, young] = [await make(before), await make(before), await make('2026-11-20T13:00:30.000Z')]
  await databases.write
    .insertInto('contact')
    .values({ id: newId(), org_id: busy, created_at: before, updated_at: before })
    .execute()
  const job = await aJob(t, { databases })
  await job.removal.start()
  await job.removal.jobs.idle()
  t.equal(await job.count('organization', dead), 1, 'its first member may be about to be created')
  await job.removal.later(59_999)
  t.same([await job.count('organization', dead), await job.count('organization', young)], [1, 1])
  await job.removal.later(1)
  t.same([await job.count('organization', dead), await job.count('organization', busy)], [0, 1])
  t.equal(await job.count('organization', young), 1)
  await job.removal.later(60 * 60_000)
  t.equal(await job.count('organization', young), 0, 'an hour later it is checked again')
})

t.test('who was to own the first organization can create it again', async t => {
  const backend = await anInstallation()
  t.teardown(backend.end)
  await backend.signIn('admin@example.com')
  const cookie = await backend.signIn('ana@example.com')
  const { databases } = backend
  const ana = await databases.read
    .selectFrom('user')
    .select('id')
    .where('email', '=', 'ana@example.com')
    .executeTakeFirstOrThrow()
  await databases.write
    .insertInto('installation')
    .values({ id: 1, admin_user_id: null, first_org_user_id: null, created_at: '' })
    .onConflict(one => one.doNothing())
    .execute()
  await databases.write.updateTable('installation').set({ first_org_user_id: ana.id }).execute()
  await anOrg(databases, '2026-11-20T12:00:00.000Z', 'panaderia')
  const create = () => backend.post('/organization/create', { name: 'Panadería', slug: 'panaderia' }, { cookie })
  t.equal((await create()).statusCode, 403, 'the unfinished one is in the way')
  const job = await aJob(t, { databases })
  await job.removal.start()
  await job.removal.later(60_000)
  t.equal((await create()).statusCode, 200)
})
