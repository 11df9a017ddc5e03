import t from 'tap'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'

const create = (backend: Awaited<ReturnType<typeof anInstallation>>, cookie: string, slug: string) =>
  backend.post('/organization/create', { name: 'Panadería', slug }, { cookie })

t.test('first: the first person opens the first organization, later ones come by invitation', async t => {
  const backend = await anInstallation()
  t.teardown(backend.end)
  const ana = await backend.signIn('ana@example.com')
  t.equal((await create(backend, ana, 'panaderia')).statusCode, 200)
  t.equal((await backend.askCode('bea@example.com')).statusCode, 200)
  t.equal(backend.letters().length, 1, 'no mail for a stranger')

  t.equal(
    (await backend.post('/organization/invite-member', { email: 'Bea@example.com', role: 'member' }, { cookie: ana }))
      .statusCode,
    200,
  )
  const bea = await backend.signIn('bea@example.com')
  const { id } = await backend.databases.read.selectFrom('invitation').select('id').executeTakeFirstOrThrow()
  t.equal(
    (await backend.post('/organization/accept-invitation', { invitationId: id }, { cookie: bea })).statusCode,
    200,
  )
  const viewer = (await backend.app.inject({ url: '/api/viewer', headers: { cookie: bea } })).json()
  t.match(viewer.active, { slug: 'panaderia', role: 'member' })

  const refused = await backend.post(
    '/organization/create',
    { name: 'Otra', slug: 'otra' },
    { cookie: bea, 'accept-language': 'es' },
  )
  t.equal(refused.statusCode, 403)
  t.equal(
    refused.json().message,
    'En esta instalación no podés crear organizaciones. Pedí que te inviten a una que ya exista.',
  )
  t.equal((await create(backend, ana, 'otra')).statusCode, 200, 'the first person administers the site')
})

t.test('first: two people at once do not both open a first organization', async t => {
  const backend = await anInstallation()
  t.teardown(backend.end)
  const admin = await backend.signIn('admin@example.com')
  t.ok(admin)
  const [ana, bea] = [await backend.signIn('ana@example.com'), await backend.signIn('bea@example.com')]
  const replies = await Promise.all([create(backend, ana, 'one-shop'), create(backend, bea, 'two-shop')])
  t.same(replies.map(reply => reply.statusCode).sort(), [200, 403])
})

t.test('first: an organization that is gone does not open the product to strangers again', async t => {
  const backend = await anInstallation()
  t.teardown(backend.end)
  await backend.signIn('admin@example.com')
  const ana = await backend.signIn('ana@example.com')
  const { id } = (await create(backend, ana, 'panaderia')).json()
  t.equal((await backend.post('/organization/delete', { organizationId: id }, { cookie: ana })).statusCode, 200)
  const before = backend.letters().length
  await backend.askCode('stranger@example.com')
  t.equal(backend.letters().length, before)
})

t.test(
  'invite: after the very first person only invited ones may sign up, and an expired invitation does not count',
  async t => {
    const backend = await anInstallation({ env: { SIGNUP: 'invite' } })
    t.teardown(backend.end)
    const admin = await backend.signIn('admin@example.com')
    await backend.askCode('stranger@example.com')
    t.equal(backend.letters().length, 1)
    t.equal((await create(backend, admin, 'panaderia')).statusCode, 200, 'the first person administers the site')
    await backend.post('/organization/invite-member', { email: 'bea@example.com', role: 'member' }, { cookie: admin })
    t.equal(backend.letters().length, 2)
    await backend.askCode('bea@example.com')
    t.equal(backend.letters().length, 3)
    await backend.databases.write
      .updateTable('invitation')
      .set({ expiresAt: new Date(Date.now() - 1000).toISOString() })
      .execute()
    await backend.askCode('bea@example.com')
    t.equal(backend.letters().length, 3)
  },
)

t.test('open: everybody may sign up and create an organization', async t => {
  const backend = await anInstallation({ env: { SIGNUP: 'open' } })
  t.teardown(backend.end)
  for (const name of ['ana', 'bea', 'eva'])
    t.equal((await create(backend, await backend.signIn(`${name}@example.com`), `shop-of-${name}`)).statusCode, 200)
})

t.test('in every mode exactly one of the first people becomes site administrator', async t => {
  for (const SIGNUP of ['first', 'open', 'invite']) {
    const backend = await anInstallation({ env: { SIGNUP } })
    t.teardown(backend.end)
    const emails = ['a', 'b', 'c', 'd'].map(name => `${name}@example.com`)
    const codes: string[] = []
    for (const email of emails) {
      await backend.askCode(email)
      codes.push(backend.lastCode())
    }
    await Promise.all(emails.map((email, i) => backend.enter(email, codes[i] as string)))
    const roles = (await backend.databases.read.selectFrom('user').select('role').execute()).map(user => user.role)
    t.equal(roles.filter(role => role === 'admin').length, 1, `${SIGNUP}: ${roles}`)
  }
})

t.test('a slug is free, reserved, malformed or taken, and the name has limits', async t => {
  const backend = await anInstallation({ env: { SIGNUP: 'open' } })
  t.teardown(backend.end)
  const { cookie } = await aPerson({ databases: backend.databases })
  const taken = await aMember({ databases: backend.databases })
  const tries: [object, number, string][] = [
    [{ name: 'Recado', slug: 'recado' }, 400, 'ORGS_SLUG_RESERVED'],
    [{ name: 'Api', slug: 'api' }, 400, 'ORGS_SLUG_RESERVED'],
    [{ name: 'Corta', slug: 'ab' }, 400, 'ORGS_SLUG_INVALID'],
    [{ name: 'Mayúsculas', slug: 'Panaderia' }, 400, 'ORGS_SLUG_INVALID'],
    [{ name: 'Guion', slug: '-panaderia' }, 400, 'ORGS_SLUG_INVALID'],
    [{ name: 'Barra', slug: 'pan/aderia' }, 400, 'ORGS_SLUG_INVALID'],
    [{ name: 'Larga', slug: 'x'.repeat(41) }, 400, 'ORGS_SLUG_INVALID'],
    [{ name: 'x', slug: 'panaderia' }, 400, 'ORGS_NAME_INVALID'],
    [{ name: `  ${'x'.repeat(61)}`, slug: 'panaderia' }, 400, 'ORGS_NAME_INVALID'],
    [{ name: 'Pan\nadería', slug: 'panaderia', logo: 'javascript:alert(1)' }, 400, 'ORGS_LOGO_INVALID'],
    [{ name: 'Panadería', slug: 'panaderia', metadata: { a: 'x'.repeat(5000) } }, 400, 'ORGS_METADATA_TOO_LARGE'],
    // Lookalikes of `panaderia`: a Cyrillic а, full-width letters, a Kelvin sign, a dotless i, an invisible character.
    ...[
      'p\u0430naderia',
      '\uff50\uff41\uff4e',
      'panader\u212a',
      'panader\u0131a',
      'pan\u200baderia',
      'pan\u0301aderia',
    ].map((slug): [object, number, string] => [{ name: 'Panadería', slug }, 400, 'ORGS_SLUG_INVALID']),
    [{ name: 'Pan\u0430der\u00eda', slug: 'panaderia' }, 400, 'ORGS_NAME_INVALID'],
    [{ name: 'Panadería', slug: '' }, 400, 'APP_VALIDATION'],
    [{ name: 'Panadería', slug: 'x'.repeat(10_000) }, 400, 'ORGS_SLUG_INVALID'],
    [{ name: '', slug: 'panaderia' }, 400, 'APP_VALIDATION'],
    [{ name: 'x'.repeat(10_000), slug: 'panaderia' }, 400, 'ORGS_NAME_INVALID'],
    [{ name: 'Panadería', slug: taken.org.slug }, 400, 'ORGANIZATION_ALREADY_EXISTS'],
  ]
  for (const [body, status, code] of tries) {
    const reply = await backend.post('/organization/create', body, { cookie, 'accept-language': 'es' })
    t.equal(reply.statusCode, status, JSON.stringify(body).slice(0, 60))
    t.equal(reply.json().code, code)
    t.not(reply.json().message, code, 'as readable text')
  }
  const missing = await backend.post('/organization/create', { name: 5 }, { cookie, 'accept-language': 'es' })
  t.equal(missing.statusCode, 400)
  t.same(
    missing.json().details.map((detail: { field: string }) => detail.field),
    ['body.name', 'body.slug'],
  )
  const organizations = await backend.databases.read.selectFrom('organization').select('id').execute()
  t.equal(organizations.length, 1, 'nothing was created')
  const own = await aMember({ databases: backend.databases, orgName: 'Almacén' })
  for (const [data, code] of [
    [{ slug: 'recado' }, 'ORGS_SLUG_RESERVED'],
    [{ slug: taken.org.slug }, 'ORGANIZATION_SLUG_ALREADY_TAKEN'],
    [{ slug: '\u0430lmacen' }, 'ORGS_SLUG_INVALID'],
    [{ slug: '' }, 'APP_VALIDATION'],
    [{ slug: 'x'.repeat(10_000) }, 'ORGS_SLUG_INVALID'],
    [{ name: '' }, 'APP_VALIDATION'],
    [{ name: 'x'.repeat(10_000) }, 'ORGS_NAME_INVALID'],
    [{ name: '\u0410lmac\u00e9n' }, 'ORGS_NAME_INVALID'],
  ] as const) {
    const body = { organizationId: own.org.id, data }
    const reply = await backend.post('/organization/update', body, { cookie: own.cookie, 'accept-language': 'es' })
    t.match([reply.statusCode, reply.json().code], [400, code], JSON.stringify(data).slice(0, 60))
  }
  const stored = await backend.databases.read
    .selectFrom('organization')
    .select(['name', 'slug'])
    .where('id', '=', own.org.id)
    .executeTakeFirst()
  t.match(stored, { name: 'Almacén', slug: own.org.slug }, 'nothing was changed')
})

t.test('two people taking one slug at once: one gets it, the other gets an error', async t => {
  const backend = await anInstallation({ env: { SIGNUP: 'open' } })
  t.teardown(backend.end)
  const people = await Promise.all(Array.from({ length: 4 }, () => aPerson({ databases: backend.databases })))
  const replies = await Promise.all(people.map(({ cookie }) => create(backend, cookie, 'panaderia')))
  t.same(replies.map(reply => reply.statusCode === 200).filter(Boolean).length, 1)
  for (const reply of replies.filter(one => one.statusCode !== 200))
    t.ok(
      ['AUTH_ORGANIZATION_SLUG_ALREADY_TAKEN', 'ORGANIZATION_ALREADY_EXISTS'].includes(reply.json().code),
      reply.body,
    )
})

t.test('only owners and administrators change an organization, only owners delete it', async t => {
  const backend = await anInstallation()
  t.teardown(backend.end)
  const owner = await aMember({ databases: backend.databases })
  const { org } = owner
  const stranger = await aMember({ databases: backend.databases })
  const rights: Record<string, [number, number]> = {
    owner: [200, 200],
    admin: [200, 403],
    member: [403, 403],
    developer: [403, 403],
    viewer: [403, 403],
    billing: [403, 403],
  }
  for (const [role, [update, remove]] of Object.entries(rights)) {
    if (role === 'owner') continue
    const { cookie } = await aMember({ databases: backend.databases, org, role })
    t.equal(
      (await backend.post('/organization/update', { organizationId: org.id, data: { name: 'Otra' } }, { cookie }))
        .statusCode,
      update,
      `${role} updates`,
    )
    t.equal(
      (await backend.post('/organization/delete', { organizationId: org.id }, { cookie })).statusCode,
      remove,
      `${role} deletes`,
    )
    const invited = await backend.post(
      '/organization/invite-member',
      { organizationId: org.id, email: `${role}@example.com`, role: 'member' },
      { cookie },
    )
    t.equal(invited.statusCode, update, `${role} invites`)
  }
  for (const organizationId of [org.id, 'no-such-organization']) {
    const reply = await backend.post(
      '/organization/update',
      { organizationId, data: { name: 'Mía' } },
      { cookie: stranger.cookie },
    )
    t.equal(reply.statusCode, 403)
    t.equal(reply.json().code, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION', 'the same answer whether it exists or not')
    const full = await backend.get(`/organization/get-full-organization?organizationId=${organizationId}`, {
      cookie: stranger.cookie,
    })
    t.equal(full.statusCode, 403)
    t.equal(full.json().code, 'USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION')
  }
  t.equal(
    (await backend.post('/organization/delete', { organizationId: org.id }, { cookie: owner.cookie })).statusCode,
    200,
  )
})

t.test('an organization id that is not text is refused by field', async t => {
  const backend = await anInstallation()
  t.teardown(backend.end)
  const { cookie } = await aMember({ databases: backend.databases })
  for (const organizationId of [true, 0, [], [null], {}, { $ne: null }, ['a', 'b'], '']) {
    const reply = await backend.post('/organization/update', { organizationId, data: { name: 'Otra' } }, { cookie })
    t.equal(reply.statusCode, 400, JSON.stringify(organizationId))
    t.match(reply.json(), { code: 'APP_VALIDATION', details: [{ field: 'body.organizationId' }] })
  }
})

t.test('only members who may invite see pending invitations', async t => {
  const backend = await anInstallation()
  t.teardown(backend.end)
  const owner = await aMember({ databases: backend.databases })
  const member = await aMember({ databases: backend.databases, org: owner.org, role: 'member' })
  await backend.post(
    '/organization/invite-member',
    { email: 'bea@example.com', role: 'member' },
    { cookie: owner.cookie },
  )
  for (const [cookie, count] of [
    [owner.cookie, 1],
    [member.cookie, 0],
  ] as const) {
    const full = await backend.get('/organization/get-full-organization', { cookie })
    t.equal(full.json().invitations.length, count)
    t.equal(full.json().members.length, 2)
    t.equal((await backend.get('/organization/list-invitations', { cookie })).json().length, count)
  }
  const { id } = await backend.databases.read.selectFrom('invitation').select('id').executeTakeFirstOrThrow()
  const taken = await backend.post(
    '/organization/accept-invitation',
    { invitationId: id },
    { cookie: member.cookie, 'accept-language': 'es' },
  )
  t.equal(taken.statusCode, 403)
  t.equal(taken.json().message, 'La invitación es para otro correo. Entrá con el correo que la recibió.')
})
