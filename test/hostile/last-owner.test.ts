/** No call, nor two at once, may leave an organization without an owner or the site without an administrator. */
import t, { type Test } from 'tap'
import { inTransaction } from '#server/platform/db/db.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'

const aSite = async (t: Test) => {
  const backend = await anInstallation()
  t.teardown(backend.end)
  const { databases } = backend
  const countSiteAdmins = async () =>
    (
      await databases.read
        .selectFrom('user')
        .select('id')
        .where('role', '=', 'admin')
        .where(eb => eb.or([eb('banned', 'is', null), eb('banned', '=', 0)]))
        .execute()
    ).length
  const countOwners = async (orgId: string) =>
    (
      await databases.read
        .selectFrom('member')
        .select('id')
        .where('organizationId', '=', orgId)
        .where('role', '=', 'owner')
        .execute()
    ).length
  return { ...backend, countSiteAdmins, countOwners }
}

t.test('the last site administrator cannot be demoted, banned or removed', async t => {
  const { post, databases, countSiteAdmins } = await aSite(t)
  const ana = await aPerson({ databases, siteRole: 'admin' })
  const banned = await aPerson({ databases, siteRole: 'admin' })
  await databases.write.updateTable('user').set({ banned: 1 }).where('id', '=', banned.user.id).execute()
  const asAna = { cookie: ana.cookie, 'accept-language': 'es' }
  const demoted = await post('/admin/set-role', { userId: ana.user.id, role: 'user' }, asAna)
  t.match(
    [demoted.statusCode, demoted.json().code],
    [409, 'AUTH_LAST_SITE_ADMIN'],
    'a banned administrator does not count',
  )
  for (const [path, body] of [
    ['/admin/ban-user', { userId: ana.user.id }],
    ['/admin/remove-user', { userId: ana.user.id }],
    ['/delete-user', {}],
  ] as const)
    t.ok((await post(path, body, asAna)).statusCode >= 400, path)
  t.equal(await countSiteAdmins(), 1)
  t.equal((await post('/admin/set-role', { userId: banned.user.id, role: 'user' }, asAna)).statusCode, 200)
})

t.test('when two site administrators demote, ban or remove each other at once, one remains', async t => {
  for (const [path, more] of [
    ['/admin/set-role', { role: 'user' }],
    ['/admin/ban-user', {}],
    ['/admin/remove-user', {}],
  ] as const) {
    const { post, databases, countSiteAdmins } = await aSite(t)
    const ana = await aPerson({ databases, siteRole: 'admin' })
    const beto = await aPerson({ databases, siteRole: 'admin' })
    const replies = await Promise.all([
      post(path, { userId: beto.user.id, ...more }, { cookie: ana.cookie }),
      post(path, { userId: ana.user.id, ...more }, { cookie: beto.cookie }),
      post(path, { userId: beto.user.id, ...more }, { cookie: ana.cookie }),
    ])
    t.equal(await countSiteAdmins(), 1, `${path}: ${replies.map(({ statusCode }) => statusCode)}`)
    t.ok(
      replies.every(({ statusCode }) => statusCode < 500),
      path,
    )
  }
})

t.test('removing the only owner’s account is refused before anything is deleted', async t => {
  const { post, databases, auth, countOwners } = await aSite(t)
  const site = await aPerson({ databases, siteRole: 'admin' })
  const owner = await aMember({ databases, role: 'owner' })
  const refused = await post('/admin/remove-user', { userId: owner.user.id }, { cookie: site.cookie })
  t.match([refused.statusCode, refused.json().code], [409, 'AUTH_LAST_OWNER'])
  t.ok(await auth.personOf({ cookie: owner.cookie }), 'still signed in')
  t.equal(await countOwners(owner.org.id), 1)
})

t.test('when two owners leave or remove each other at once, one remains', async t => {
  const { post, databases, countOwners } = await aSite(t)
  for (const path of ['/organization/leave', '/organization/remove-member'] as const) {
    const ana = await aMember({ databases, role: 'owner' })
    const beto = await aMember({ databases, role: 'owner', org: ana.org })
    const body = (other: typeof ana) => ({ organizationId: ana.org.id, memberIdOrEmail: other.user.email })
    const replies = await Promise.all([
      post(path, body(beto), { cookie: ana.cookie }),
      post(path, body(ana), { cookie: beto.cookie }),
    ])
    t.ok((await countOwners(ana.org.id)) >= 1, `${path}: ${replies.map(({ statusCode }) => statusCode)}`)
    t.ok(
      replies.every(({ statusCode }) => statusCode < 500),
      path,
    )
  }
})

t.test('the database refuses to remove the last owner', async t => {
  const { databases, countOwners, countSiteAdmins } = await aSite(t)
  const owner = await aMember({ databases, role: 'owner' })
  const suspended = await aMember({ databases, role: 'owner', org: owner.org })
  await databases.write.updateTable('user').set({ banned: 1 }).where('id', '=', suspended.user.id).execute()
  const admin = await aPerson({ databases, siteRole: 'admin' })
  const { write } = databases
  const ofOwner = (query: { where(column: 'userId', op: '=', value: string): { execute(): Promise<unknown> } }) =>
    query.where('userId', '=', owner.user.id).execute()
  await t.rejects(ofOwner(write.deleteFrom('member') as never), { message: 'LAST_OWNER' })
  await t.rejects(ofOwner(write.updateTable('member').set({ role: 'admin' }) as never), { message: 'LAST_OWNER' })
  await t.rejects(write.deleteFrom('user').where('id', '=', owner.user.id).execute(), { message: 'LAST_OWNER' })
  const isAdmin = { message: 'LAST_SITE_ADMIN' }
  await t.rejects(write.updateTable('user').set({ role: null }).where('id', '=', admin.user.id).execute(), isAdmin)
  await t.rejects(write.updateTable('user').set({ banned: 1 }).where('id', '=', admin.user.id).execute(), isAdmin)
  await t.rejects(write.deleteFrom('user').where('id', '=', admin.user.id).execute(), isAdmin)
  t.equal(await countOwners(owner.org.id), 2)
  t.equal(await countSiteAdmins(), 1)
  await inTransaction(databases, async trx => {
    await trx.deleteFrom('organization').where('id', '=', owner.org.id).execute()
  })
  t.equal(await countOwners(owner.org.id), 0, 'deleting the organization deletes its owners too')
})
