import t from 'tap'
import { Compile } from 'typebox/schema'
import { describeAuthCalls } from '#server/identity/auth/calls/api-document.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'

t.test('each reply fits its documented schema, empty replies included', async t => {
  const backend = await anInstallation()
  t.teardown(backend.end)
  const { databases, post, get } = backend
  const { calls, schemas } = await describeAuthCalls(backend.auth.betterAuth)
  const seen = new Set<string>()
  const fits = (path: string, reply: { statusCode: number; body: string }) => {
    t.equal(reply.statusCode, 200, `${path}: ${reply.body}`)
    seen.add(path)
    const schema = calls.find(call => call.url === `/api/auth${path}`)?.reply as object
    const check = Compile({ ...schema, components: { schemas } } as never)
    const [, errors] = check.Errors(JSON.parse(reply.body))
    t.same(errors, [], `${path} ${JSON.stringify(schema).slice(0, 200)} ${reply.body.slice(0, 300)}`)
  }
  const owner = await aMember({ databases, role: 'owner' })
  const other = await aMember({ databases, role: 'member', org: owner.org })
  const site = await aPerson({ databases, siteRole: 'admin' })
  const loner = await aPerson({ databases })
  const asOwner = { cookie: owner.cookie }
  const asSite = { cookie: site.cookie }
  const organizationId = owner.org.id
  const read = async (path: string, headers: Record<string, string>, query = '') =>
    fits(path, await get(`${path}${query}`, headers))
  const write = async (path: string, body: object, headers: Record<string, string>) => {
    const reply = await post(path, body, headers)
    fits(path, reply)
    return reply.json()
  }

  await read('/get-session', {})
  await read('/get-session', asOwner)
  for (const who of [asOwner, { cookie: loner.cookie }]) {
    await read('/organization/list', who)
    await read('/organization/get-full-organization', who)
    await read('/organization/list-user-invitations', who)
    await read('/organization/list-user-teams', who)
  }
  for (const path of ['get-active-member', 'get-active-member-role', 'list-members', 'list-invitations', 'list-teams'])
    await read(`/organization/${path}`, asOwner)
  await read('/organization/list-members', asOwner, '?limit=1&offset=0&sortBy=role')
  await read('/admin/list-users', asSite)
  await read('/admin/list-users', asSite, '?limit=2&offset=1&sortBy=name')
  t.equal((await get('/admin/list-users?limit=2', asSite)).json().users.length, 2)
  t.equal((await get('/organization/list-members?limit=1', asOwner)).json().members.length, 1)

  const { id: keyId } = await write('/api-key/create', { name: 'CRM', expiresIn: 3600, scopes: ['chat:read'] }, asOwner)
  await write('/api-key/create', { name: 'CRM' }, asOwner)
  await read('/api-key/list', asOwner)
  await write('/api-key/delete', { keyId }, asOwner)
  await write('/api-key/delete-all-expired-api-keys', {}, asOwner)
  const { id: teamId } = await write('/organization/create-team', { name: 'Ventas', organizationId }, asOwner)
  await write('/organization/update-team', { teamId, data: { name: 'Mostrador' } }, asOwner)
  await write('/organization/add-team-member', { teamId, userId: owner.user.id, organizationId }, asOwner)
  await read('/organization/list-team-members', asOwner, `?teamId=${teamId}`)
  await write('/organization/set-active-team', { teamId }, asOwner)
  await write('/organization/set-active-team', { teamId: null }, asOwner)
  await write('/organization/set-active-team', {}, asOwner)
  await write('/organization/remove-team-member', { teamId, userId: owner.user.id, organizationId }, asOwner)
  await write('/organization/remove-team', { teamId, organizationId }, asOwner)
  await write('/organization/set-active', { organizationId: null }, asOwner)
  await write('/organization/set-active', {}, asOwner)
  await write('/organization/set-active', { organizationId }, asOwner)
  await write('/organization/check-slug', { slug: 'otra-mas' }, asOwner)
  await write('/organization/has-permission', { permissions: { team: ['create'] }, organizationId }, asOwner)
  await write('/organization/update', { organizationId, data: { name: 'Panadería' } }, asOwner)
  const invited = { email: loner.user.email, role: 'member', organizationId }
  const first = await write('/organization/invite-member', invited, asOwner)
  await read('/organization/get-invitation', { cookie: loner.cookie }, `?id=${first.id}`)
  await write('/organization/cancel-invitation', { invitationId: first.id }, asOwner)
  const second = await write('/organization/invite-member', invited, asOwner)
  await write('/organization/reject-invitation', { invitationId: second.id }, { cookie: loner.cookie })
  const third = await write('/organization/invite-member', invited, asOwner)
  const joined = await write('/organization/accept-invitation', { invitationId: third.id }, { cookie: loner.cookie })
  const role = { organizationId, memberId: joined.member.id, role: 'viewer' }
  await write('/organization/update-member-role', role, asOwner)
  await write('/organization/leave', { organizationId }, { cookie: loner.cookie })
  await write('/organization/remove-member', { organizationId, memberIdOrEmail: other.user.email }, asOwner)
  await write('/update-user', { name: 'Ana María' }, asOwner)
  await write('/organization/delete', { organizationId }, asOwner)
  const created = await write('/admin/create-user', { email: 'new@example.com', name: 'New' }, asSite)
  const userId = created.user.id
  await write('/admin/set-role', { userId, role: 'user' }, asSite)
  await write('/admin/ban-user', { userId }, asSite)
  await write('/admin/unban-user', { userId }, asSite)
  await write('/admin/has-permission', { permissions: { user: ['list'] } }, asSite)
  await write('/admin/revoke-user-sessions', { userId }, asSite)
  await write('/admin/remove-user', { userId }, asSite)
  await write('/delete-user', {}, { cookie: loner.cookie })
  await write('/revoke-other-sessions', {}, { cookie: loner.cookie })
  await write('/sign-out', {}, { cookie: loner.cookie })
  t.ok(seen.size >= 40, `${seen.size} calls`)
})
