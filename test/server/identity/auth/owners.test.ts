import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'

t.test('an organization always has an owner, and only owners make owners', async t => {
  const { post, databases, end } = await anInstallation()
  t.teardown(end)
  const ana = await aMember({ databases, name: 'Ana', role: 'owner' })
  const beto = await aMember({ databases, name: 'Beto', role: 'admin', org: ana.org })
  const memberIdOf = async (userId: string) =>
    (
      await databases.read
        .selectFrom('member')
        .where('userId', '=', userId)
        .where('organizationId', '=', ana.org.id)
        .select('id')
        .executeTakeFirstOrThrow()
    ).id
  const [anas, betos] = [await memberIdOf(ana.user.id), await memberIdOf(beto.user.id)]
  const as = (who: typeof ana) => async (path: string, body: object) => {
    const reply = await post(`/organization/${path}`, { organizationId: ana.org.id, ...body }, { cookie: who.cookie })
    return [reply.statusCode, (reply.json() as { code?: string } | null)?.code]
  }
  const [byAna, byBeto] = [as(ana), as(beto)]
  const setRole = (memberId: string, role: string) => ({ memberId, role })
  const noOwner = [400, 'YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER']

  t.same((await byBeto('update-member-role', setRole(betos, 'owner')))[0], 403, 'an admin cannot make an owner')
  t.same((await byBeto('update-member-role', setRole(anas, 'member')))[0], 403, 'an admin cannot demote an owner')
  t.not((await byBeto('remove-member', { memberIdOrEmail: anas }))[0], 200, 'an admin cannot remove an owner')
  t.same(await byAna('update-member-role', setRole(anas, 'admin')), noOwner, 'the last owner cannot be demoted')
  t.not((await byAna('remove-member', { memberIdOrEmail: anas }))[0], 200)
  t.not((await byAna('leave', {}))[0], 200)
  t.same((await byAna('update-member-role', setRole(betos, 'emperor')))[0], 400)

  t.same((await byAna('update-member-role', setRole(betos, 'owner')))[0], 200)
  t.same(
    (await byAna('update-member-role', setRole(anas, 'admin')))[0],
    200,
    'with a second owner the first can be demoted',
  )
  t.same(await byBeto('update-member-role', setRole(betos, 'admin')), noOwner)
  const { role } = await databases.read
    .selectFrom('member')
    .where('id', '=', betos)
    .select('role')
    .executeTakeFirstOrThrow()
  t.equal(role, 'owner')
})

t.test('when two owners demote each other at once, one remains', async t => {
  const { post, databases, end } = await anInstallation()
  t.teardown(end)
  const ana = await aMember({ databases, name: 'Ana', role: 'owner' })
  const beto = await aMember({ databases, name: 'Beto', role: 'owner', org: ana.org })
  const members = await databases.read
    .selectFrom('member')
    .where('organizationId', '=', ana.org.id)
    .select(['id', 'userId'])
    .execute()
  const demote = (by: typeof ana, whom: typeof ana) =>
    post(
      '/organization/update-member-role',
      {
        organizationId: ana.org.id,
        memberId: members.find(({ userId }) => userId === whom.user.id)?.id,
        role: 'member',
      },
      { cookie: by.cookie },
    )
  const attempts = [
    [ana, beto],
    [beto, ana],
    [ana, ana],
    [beto, beto],
  ] as const
  const replies = await Promise.all(attempts.map(([by, whom]) => demote(by, whom)))
  // A person who was demoted may be demoted again; no other person was.
  const demoted = attempts.filter((_, i) => replies[i]?.statusCode === 200).map(([, whom]) => whom.user.id)
  t.equal(new Set(demoted).size, 1)
  const owners = await databases.read
    .selectFrom('member')
    .where('organizationId', '=', ana.org.id)
    .where('role', '=', 'owner')
    .select('id')
    .execute()
  t.equal(owners.length, 1)
})
