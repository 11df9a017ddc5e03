import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { deletionGraceDays } from '#shared/orgs/ownership.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { handClock } from '#test/helpers/clock.ts'

const dayMs = 86_400_000

const stage = async (t: Test) => {
  const clock = handClock()
  const backend = await startBackend(t, { clock })
  const { databases } = backend
  const owner = await aMember({ databases, orgName: 'Panadería' })
  const { org } = owner
  const call = async (method: 'GET' | 'POST' | 'DELETE', url: string, body?: object, who: AMember = owner) => {
    const reply = await backend.inject({
      method,
      url: `/api${url}`,
      headers: { cookie: who.cookie, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { payload: JSON.stringify(body) } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }
  const rename = (slug: string, who: AMember = owner) =>
    call('POST', '/auth/organization/update', { organizationId: who.org.id, data: { slug } }, who)
  const letters = async () => {
    await backend.parts.jobs.idle()
    const folder = join(backend.dataDir, 'mail')
    return readdirSync(folder)
      .sort()
      .map(name => readFileSync(join(folder, name), 'utf8'))
  }
  const emitted = async () =>
    (await databases.read.selectFrom('event').select('type').where('org_id', '=', org.id).execute()).map(
      ({ type }) => type,
    )
  backend.parts.jobs.start()
  t.teardown(() => backend.parts.jobs.stop())
  return { clock, backend, databases, owner, org, call, rename, letters, emitted }
}

t.test('a former slug leads to its organization, and no other can take it', async t => {
  const { databases, owner, org, call, rename, letters, emitted } = await stage(t)
  const before = org.slug
  t.equal((await rename('la-nueva')).status, 200)
  t.same(await emitted(), ['organization'])
  t.match(await letters(), [/la-nueva/])
  t.same((await call('GET', `/organizations/former/${before}`)).body, { slug: 'la-nueva' })
  const stranger = await aMember({ databases, orgName: 'Otra' })
  t.same((await call('GET', `/organizations/former/${before}`, undefined, stranger)).body, { slug: null })
  t.match((await call('GET', `/organizations/slug/${before}`, undefined, stranger)).body, { reason: 'taken' })
  const taken = await rename(before, stranger)
  t.match([taken.status, taken.body.code], [400, /SLUG_ALREADY_TAKEN/])
  await t.rejects(
    databases.write.insertInto('organization').values({ id: 'x', name: 'X', slug: before, createdAt: '' }).execute(),
    /SLUG_TAKEN/,
    'the database itself refuses it',
  )
  t.equal((await rename(before)).status, 200, 'the organization can take its former slug back')
  t.same((await call('GET', '/organizations/former/la-nueva')).body, { slug: before })
  t.match((await call('GET', '/viewer')).body, { organizations: [{ slug: before }] })
  t.equal(
    await databases.read
      .selectFrom('former_slug')
      .selectAll()
      .execute()
      .then(rows => rows.length),
    1,
  )
  t.equal(owner.org.slug, before)
})

t.test('a call with a former slug reaches the same organization', async t => {
  const { backend, owner, org, rename } = await stage(t)
  await rename('la-nueva')
  const headers = { cookie: owner.cookie, 'x-organization': org.slug }
  t.equal((await backend.inject({ url: '/api/organization/settings', headers })).statusCode, 200)
})

t.test('the number of former slugs is limited', async t => {
  const { databases, org, rename } = await stage(t)
  const rows = Array.from({ length: 50 }, (_, i) => ({ slug: `vieja-${i}`, org_id: org.id }))
  await databases.write.insertInto('former_slug').values(rows).execute()
  t.match(await rename('otra-mas'), { status: 409, body: { code: 'ORGS_SLUG_CHANGED_TOO_OFTEN' } })
})

t.test('a transfer makes another member the owner, in one step, and mails both', async t => {
  const { databases, owner, org, call, letters } = await stage(t)
  const admin = await aMember({ databases, org, role: 'admin', name: 'Ana' })
  const stranger = await aMember({ databases, orgName: 'Otra' })
  const transfer = (userId: string, who = owner) => call('POST', '/organization/transfer', { userId }, who)
  t.equal((await transfer(admin.user.id, admin)).status, 403)
  t.match(await transfer(stranger.user.id), { status: 404, body: { code: 'ORGS_MEMBER_NOT_FOUND' } })
  t.match(await transfer(owner.user.id), { status: 400, body: { details: [{ field: 'body.userId' }] } })
  t.same(await transfer(admin.user.id), { status: 200, body: { ownerName: 'Ana' } })
  t.match((await call('GET', '/viewer')).body, { organizations: [{ role: 'admin' }] })
  t.match((await call('GET', '/viewer', undefined, admin)).body, { organizations: [{ role: 'owner' }] })
  const mailed = await letters()
  for (const { user } of [owner, admin])
    t.ok(
      mailed.some(letter => letter.includes(`To: ${user.email}`)),
      user.email,
    )
  t.match((await call('GET', '/organization/audit', undefined, admin)).body, {
    items: [{ action: 'organizationTransferred', changes: [{ fact: 'owner', after: admin.user.email }] }],
  })
})

t.test('a deletion requires the slug, waits, can be undone, and happens when it is due', async t => {
  const { clock, backend, databases, org, call, letters } = await stage(t)
  const admin = await aMember({ databases, org, role: 'admin' })
  const ask = (slug: string, who?: AMember) => call('POST', '/organization/deletion', { slug }, who)
  t.equal((await ask(org.slug, admin)).status, 403)
  t.match(await ask('otra-cosa'), { status: 400, body: { code: 'ORGS_CONFIRMATION_WRONG' } })
  const deletesAt = new Date(clock.now().getTime() + deletionGraceDays * dayMs).toISOString()
  t.same(await ask(org.slug), { status: 200, body: { deletesAt } })
  clock.advance(dayMs)
  t.same(await ask(org.slug), { status: 200, body: { deletesAt } }, 'a second request does not change the time')
  t.match((await call('GET', '/viewer', undefined, admin)).body, { organizations: [{ deletesAt }] })
  t.equal((await letters()).length, 1)

  t.same(await call('DELETE', '/organization/deletion'), { status: 200, body: { deletesAt: null } })
  clock.advance(deletionGraceDays * dayMs)
  backend.parts.jobs.wake()
  t.equal((await letters()).length, 2)
  t.notMatch((await call('GET', '/viewer')).body.organizations[0], { deletesAt: String })

  t.equal((await ask(org.slug)).status, 200)
  clock.advance(deletionGraceDays * dayMs - 1)
  backend.parts.jobs.wake()
  await backend.parts.jobs.idle()
  t.equal((await call('GET', '/viewer')).body.organizations.length, 1, 'not before it is due')
  clock.advance(1)
  backend.parts.jobs.wake()
  await backend.parts.jobs.idle()
  t.same((await call('GET', '/viewer')).body.organizations, [])
  t.same(await databases.read.selectFrom('organization').selectAll().where('id', '=', org.id).execute(), [])
  t.same(backend.errors(), [])
})
