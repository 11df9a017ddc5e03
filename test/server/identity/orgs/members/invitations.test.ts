import t, { type Test } from 'tap'
import { maskedEmail } from '#server/identity/orgs/members/invitations.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Notification } from '#shared/notifications/api.ts'
import type { LinkedInvitation, ReceivedInvitation, SentInvitation } from '#shared/orgs/invitations.ts'
import { type AMember, type APerson, aMember, aPerson } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'

const dayMs = 86_400_000

const stage = async (t: Test) => {
  const backend = await startBackend(t)
  const owner = await aMember({ databases: backend.databases, orgName: 'Panadería Don Luis', name: 'Luis Owner' })

  const call = async <Reply = unknown>(
    method: 'GET' | 'POST',
    url: string,
    who?: APerson,
    body?: unknown,
    headers: Record<string, string> = {},
  ) => {
    const reply = await backend.inject({
      method,
      url: `/api${url}`,
      headers: {
        'accept-language': 'es',
        ...(who ? { cookie: who.cookie } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: JSON.stringify(body) }),
    })
    return { status: reply.statusCode, body: reply.json() as Reply & { code?: string; message?: string } }
  }
  const invite = async (email: string, options: { role?: string; teamId?: string; by?: AMember } = {}) => {
    const { by = owner, role = 'member', teamId } = options
    const { status, body } = await call<{ id: string }>('POST', '/auth/organization/invite-member', by, {
      email,
      role,
      organizationId: owner.org.id,
      ...(teamId ? { teamId } : {}),
    })
    if (status !== 200) throw new Error(`The invitation was refused: ${JSON.stringify(body)}`)
    return body.id
  }
  const linked = async (id: string, who?: APerson) => {
    const { body } = await call<{ invitation: LinkedInvitation | null }>('GET', `/verify/invitations/${id}`, who)
    return body.invitation
  }
  const received = async (who: APerson) =>
    (await call<{ items: ReceivedInvitation[] }>('GET', '/verify/invitations', who)).body.items
  const noticesOf = async (who: AMember, language = 'es') =>
    (
      await call<Notification[]>('GET', '/notify', who, undefined, {
        'x-organization': owner.org.id,
        'accept-language': language,
      })
    ).body
  const expire = (id: string) =>
    backend.databases.write
      .updateTable('invitation')
      .set({ expiresAt: new Date(Date.now() - dayMs).toISOString() })
      .where('id', '=', id)
      .execute()
  const answer = (verb: 'accept' | 'reject' | 'cancel', id: string, who: APerson) =>
    call('POST', `/auth/organization/${verb}-invitation`, who, { invitationId: id })
  const marta = () => aPerson({ databases: backend.databases, email: 'marta@example.com', name: 'Marta' })
  return { backend, owner, call, invite, linked, received, noticesOf, expire, answer, marta }
}

t.test('an invited person sees inviter, organization, role and expiry', async t => {
  const { backend, owner, invite, received, linked, marta } = await stage(t)
  const team = newId()
  await backend.databases.write
    .insertInto('team')
    .values({
      id: team,
      name: 'Mostrador',
      memberCount: 0,
      organizationId: owner.org.id,
      createdAt: new Date().toISOString(),
      updatedAt: null,
    })
    .execute()
  const id = await invite('Marta@Example.com', { role: 'developer', teamId: team })
  const person = await marta()
  const [card, ...others] = await received(person)
  t.same(others, [])
  t.match(card, {
    id,
    organization: { id: owner.org.id, name: 'Panadería Don Luis', slug: owner.org.slug, logo: null },
    inviter: { name: 'Luis Owner' },
    role: 'developer',
    team: 'Mostrador',
    status: 'pending',
  })
  const daysLeft = (Date.parse(card?.expiresAt ?? '') - Date.now()) / dayMs
  t.ok(daysLeft > 6.9 && daysLeft <= 7, 'a week')
  t.match(await linked(id, person), {
    email: 'marta@example.com',
    mine: true,
    member: false,
    details: { inviter: 'Luis Owner', role: 'developer', team: 'Mostrador' },
  })
})

t.test('a stranger with the link learns the organization and two letters', async t => {
  const { backend, invite, linked, received } = await stage(t)
  const id = await invite('marta@example.com')
  const stranger = await aPerson({ databases: backend.databases, email: 'eva@example.com' })
  for (const who of [undefined, stranger]) {
    const seen = await linked(id, who)
    t.match(seen, { email: 'ma•••@…', mine: false, member: false, details: null, status: 'pending' })
    t.notMatch(JSON.stringify(seen), /marta|example|Luis Owner/)
  }
  t.same(await received(stranger), [])
  t.equal(await linked(newId()), null, 'an unknown id has no invitation')
})

t.test('masking keeps at most two letters and no domain', async t => {
  t.same(['maria@example.com', 'ab@x.io', 'a@x.io', '👍👍👍@x.io'].map(maskedEmail), [
    'ma•••@…',
    'a•••@…',
    'a•••@…',
    '👍👍•••@…',
  ])
})

t.test('accepting creates one membership and notifies the inviter', async t => {
  const { backend, owner, invite, linked, answer, call, noticesOf, marta } = await stage(t)
  const id = await invite('marta@example.com')
  const person = await marta()
  t.equal((await answer('accept', id, person)).status, 200)
  t.match(await linked(id, person), { status: 'accepted', member: true })
  const { body } = await call<{ active: { id: string }; organizations: { role: string }[] }>('GET', '/viewer', person)
  t.equal(body.active.id, owner.org.id, 'the organization becomes the active one')
  t.equal(body.organizations[0]?.role, 'member')
  t.match(await noticesOf(owner), [
    { title: 'Invitación aceptada', message: 'Marta ya es parte de Panadería Don Luis.' },
  ])
  t.match(await noticesOf(owner, 'en'), [{ title: 'Invitation accepted' }])
  t.equal((await answer('accept', id, person)).body.code, 'INVITATION_NOT_FOUND', 'it was already used')
  t.same(backend.errors(), [])
})

t.test('a pending invitation of a person who is already a member says so', async t => {
  const { backend, owner, invite, answer, marta } = await stage(t)
  const id = await invite('marta@example.com')
  const person = await marta()
  const { id: userId } = person.user
  await backend.databases.write
    .insertInto('member')
    .values({ id: 'otro', organizationId: owner.org.id, userId, role: 'viewer', createdAt: new Date().toISOString() })
    .execute()
  const { status, body } = await answer('accept', id, person)
  t.same([status, body.code], [400, 'AUTH_USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION'])
  const rows = backend.databases.read.selectFrom('member').select('role').where('userId', '=', userId)
  t.same(await rows.execute(), [{ role: 'viewer' }], 'the role is unchanged')
})

t.test('nobody accepts for another address, however it is written', async t => {
  const { backend, invite, answer, linked } = await stage(t)
  const id = await invite('Marta@example.com')
  const eva = await aPerson({ databases: backend.databases, email: 'eva@example.com' })
  t.equal((await answer('accept', id, eva)).status, 403)
  t.equal((await answer('reject', id, eva)).status, 403)
  t.match(await linked(id), { status: 'pending' })
})

t.test('addresses are compared exactly: lookalikes differ, and invalid ones are refused', async t => {
  const { backend, owner, call, invite, answer, linked } = await stage(t)
  const send = (email: unknown) =>
    call('POST', '/auth/organization/invite-member', owner, { email, role: 'member', organizationId: owner.org.id })
  const wrong = [
    '',
    'marta',
    'marta@',
    '@example.com',
    'marta@example',
    'marta @example.com',
    'marta@example.com\nBcc: a@b.io',
  ]
  for (const email of [...wrong, `${'x'.repeat(10_000)}@example.com`, ['marta@example.com'], null])
    t.equal((await send(email)).status, 400, JSON.stringify(email)?.slice(0, 40))
  t.same(await backend.databases.read.selectFrom('invitation').select('id').execute(), [])

  const plus = await invite('marta+panaderia@example.com')
  const plain = await invite('marta@example.com')
  t.match(await linked(plus), { status: 'pending' }, 'another address has another invitation')
  const people = {
    plus: await aPerson({ databases: backend.databases, email: 'marta+panaderia@example.com' }),
    plain: await aPerson({ databases: backend.databases, email: 'marta@example.com' }),
    // A Cyrillic а.
    alike: await aPerson({ databases: backend.databases, email: 'm\u0430rta@example.com' }),
  }
  for (const [id, who] of [
    [plus, people.plain],
    [plain, people.plus],
    [plus, people.alike],
    [plain, people.alike],
  ] as const)
    t.equal((await answer('accept', id, who)).status, 403)
  t.equal((await answer('accept', plus, people.plus)).status, 200)
  t.equal((await answer('accept', plain, people.plain)).status, 200)
})

t.test('expired, canceled and replaced invitations cannot be accepted', async t => {
  const { backend, owner, invite, answer, expire, marta } = await stage(t)
  const person = await marta()
  const replaced = await invite('marta@example.com')
  const expired = await invite('marta@example.com')
  await expire(expired)
  const canceled = await invite('marta@example.com')
  t.equal((await answer('cancel', canceled, owner)).status, 200)
  for (const id of [replaced, expired, canceled, newId(), 'x'.repeat(10_000), ''])
    t.ok([400, 403, 404].includes((await answer('accept', id, person)).status), id.slice(0, 30))
  const members = await backend.databases.read.selectFrom('member').select('userId').execute()
  t.same(
    members.map(({ userId }) => userId),
    [owner.user.id],
  )
  t.same(backend.errors(), [])
})

t.test('only a pending invitation can be rejected or canceled', async t => {
  const { owner, invite, answer, linked, marta } = await stage(t)
  const id = await invite('marta@example.com')
  const person = await marta()
  t.equal((await answer('reject', id, person)).status, 200)
  t.match(await linked(id, person), { status: 'rejected' })
  const refused = await answer('cancel', id, owner)
  t.match(refused, { status: 400, body: { code: 'ORGS_INVITATION_CLOSED', message: /ya no está pendiente/ } })
  t.match(await linked(id, person), { status: 'rejected' })
  const second = await invite('marta@example.com')
  t.equal((await answer('accept', second, person)).status, 200)
  t.equal((await answer('cancel', second, owner)).status, 400)
  t.match(await linked(second, person), { status: 'accepted' })
})

t.test('inviting again replaces the invitation, and members who manage see pending ones', async t => {
  const { backend, owner, call, invite, linked, expire } = await stage(t)
  const first = await invite('marta@example.com')
  const second = await invite('MARTA@example.com', { role: 'admin' })
  const old = await invite('viejo@example.com')
  await expire(old)
  t.match(await linked(first), { status: 'canceled' })
  const { body } = await call<{ items: SentInvitation[] }>('GET', '/members/invitations', owner)
  t.same(
    body.items.map(({ id, email, role, status }) => [id, email, role, status]),
    [
      [old, 'viejo@example.com', 'member', 'expired'],
      [second, 'marta@example.com', 'admin', 'pending'],
    ],
  )
  const member = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
  t.equal(
    (await call('GET', '/members/invitations', member)).status,
    403,
    'other members do not see pending invitations',
  )
})

t.test('four concurrent invitations of one address leave one pending', async t => {
  const { owner, call, invite, linked } = await stage(t)
  const ids = await Promise.all(Array.from({ length: 4 }, () => invite('marta@example.com')))
  t.equal(new Set(ids).size, 4)
  const { body } = await call<{ items: SentInvitation[] }>('GET', '/members/invitations', owner)
  t.equal(body.items.length, 1)
  const states = await Promise.all(ids.map(async id => ((await linked(id)) as { status: string }).status))
  t.same(states.sort(), ['canceled', 'canceled', 'canceled', 'pending'])
})

t.test('a new invitation can be asked for without an account, once a day, and the inviter is told', async t => {
  const { backend, owner, call, invite, expire, linked, noticesOf } = await stage(t)
  const id = await invite('marta@example.com')
  const ask = () => call('POST', `/verify/invitations/${id}/renewal`)
  t.match(await ask(), { status: 409, body: { code: 'ORGS_INVITATION_STILL_VALID' } })
  await expire(id)
  t.match(await linked(id), { status: 'expired' })
  t.match(await ask(), { status: 200, body: { asked: true } })
  t.match(await ask(), { status: 429, body: { code: 'ORGS_INVITATION_ASKED_ALREADY' } })
  const notices = await noticesOf(owner)
  t.equal(notices.length, 1)
  t.match(notices[0], { title: 'Piden una invitación nueva', message: /^marta@example\.com pide/, redirect: null })
  backend.clock.advance(dayMs + 1)
  t.equal((await ask()).status, 200, 'a day later it can be requested again')
  t.equal((await call('POST', `/verify/invitations/${newId()}/renewal`)).status, 404)
})

t.test('if the inviter has left, the others who may invite are notified', async t => {
  const { backend, owner, call, invite, expire, noticesOf } = await stage(t)
  const admin = await aMember({ databases: backend.databases, org: owner.org, role: 'admin' })
  const id = await invite('marta@example.com', { by: admin })
  await expire(id)
  await backend.databases.write
    .updateTable('member')
    .set({ role: 'viewer' })
    .where('userId', '=', admin.user.id)
    .execute()
  t.equal((await call('POST', `/verify/invitations/${id}/renewal`)).status, 200)
  t.equal((await noticesOf(owner)).length, 1)
  t.same(await noticesOf(admin), [])
})

t.test('a member cannot ask for a new invitation', async t => {
  const { call, invite, answer, marta } = await stage(t)
  const id = await invite('marta@example.com')
  await answer('accept', id, await marta())
  t.match(await call('POST', `/verify/invitations/${id}/renewal`), {
    status: 409,
    body: { code: 'ORGS_INVITATION_NOT_NEEDED' },
  })
})
