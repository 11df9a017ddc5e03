import t from 'tap'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { aNeighbour } from '#test/helpers/neighbours.ts'

const backend = await startBackend(t)
const { databases } = backend
const { owner } = await aNeighbour(backend, { orgName: 'Panadería', customer: '5491155550101' })
const siteAdmin = await aPerson({ databases, siteRole: 'admin' })
const chat = { url: '/api/whatsapp/conversations/5491155550101', headers: { cookie: owner.cookie } }
const assigneeIn = async () => (await backend.inject(chat)).json().assignee
const left = async () => {
  const rows = await databases.read
    .selectFrom('event')
    .select('data')
    .where('org_id', '=', owner.org.id)
    .where('type', '=', 'memberLeft')
    .orderBy('seq')
    .execute()
  return rows.map(row => JSON.parse(row.data).userId)
}

for (const [path, by] of [
  ['/organization/remove-member', 'owner'],
  ['/organization/leave', 'themselves'],
  ['/admin/remove-user', 'admin'],
] as const)
  t.test(`${path}: open pages are notified of who left, after their conversations were unassigned`, async t => {
    const beto = await aMember({ databases, role: 'member', org: owner.org })
    await databases.write
      .updateTable('conversation')
      .set({ assignee_id: beto.user.id })
      .where('org_id', '=', owner.org.id)
      .execute()
    t.match(await assigneeIn(), { id: beto.user.id })
    const before = await left()
    const cookie = by === 'owner' ? owner.cookie : by === 'admin' ? siteAdmin.cookie : beto.cookie
    const reply = await backend.inject({
      method: 'POST',
      url: `/api/auth${path}`,
      headers: { cookie },
      payload: { organizationId: owner.org.id, memberIdOrEmail: beto.user.email, userId: beto.user.id },
    })
    t.equal(reply.statusCode, 200, reply.body)
    await backend.parts.jobs.idle()
    t.same(await left(), [...before, beto.user.id])
    t.equal(await assigneeIn(), null)
  })

t.test('a new role does not count as leaving', async t => {
  const caro = await aMember({ databases, role: 'member', org: owner.org })
  const before = await left()
  const { id } = await databases.read
    .selectFrom('member')
    .select('id')
    .where('userId', '=', caro.user.id)
    .executeTakeFirstOrThrow()
  const reply = await backend.inject({
    method: 'POST',
    url: '/api/auth/organization/update-member-role',
    headers: { cookie: owner.cookie },
    payload: { organizationId: owner.org.id, memberId: id, role: 'billing' },
  })
  t.equal(reply.statusCode, 200)
  t.same(await left(), before)
})
