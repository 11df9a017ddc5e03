/** Odd spellings of roles, at every call of better-auth that takes one. */
import t, { type Test } from 'tap'
import type { Auth } from '#server/identity/auth/auth.ts'
import { listAllowedRoutes } from '#server/identity/auth/calls/allowed-routes.ts'
import { effectiveRole, isOrgRole, orgRoles } from '#shared/kernel/permissions.ts'
import { aMember, aPerson } from '#test/helpers/actors.ts'
import { anInstallation } from '#test/helpers/sign-in.ts'

/** The spellings that once made an admin an owner come first; no call may accept any. */
const badOrgRoles: readonly unknown[] = [
  'admin, owner',
  ' owner',
  'owner ',
  'member,\towner',
  ['member, owner'],
  ['member', 'owner'],
  ['member'],
  'admin,member',
  'member,',
  'Member',
  'm\u0435mber',
  'emperor',
  'user',
  '__proto__',
  'constructor',
  '',
  [],
  null,
  1,
  {},
]
const badSiteRoles: readonly unknown[] = [
  'admin, user',
  ' admin',
  'user,admin',
  ['user, admin'],
  ['user', 'admin'],
  ['admin'],
  'Admin',
  'owner',
  '__proto__',
  'constructor',
  '',
  [],
  null,
  1,
  {},
]

interface Endpoint {
  (input: { body: unknown; headers?: Headers }): Promise<unknown>
  path?: string
  options?: { body?: Schema }
}
interface Schema {
  shape?: Record<string, Schema>
  def?: { type?: string; innerType?: Schema; left?: Schema; right?: Schema; options?: Schema[] }
}

/** Field names of a schema, through all wrappers; `*`: it accepts any field. */
const fieldsOf = (schema: Schema | undefined): string[] => {
  if (!schema) return []
  const { shape, def = {} } = schema
  if (shape) return Object.entries(shape).flatMap(([name, inner]) => [name, ...fieldsOf(inner)])
  if (def.type === 'record') return ['*']
  return [def.innerType, def.left, def.right, ...(def.options ?? [])].flatMap(fieldsOf)
}

/** Every endpoint of better-auth, mounted or not, whose body has a role or accepts any field. */
const callsThatTakeARole = (auth: Auth) =>
  Object.entries(auth.betterAuth.api as unknown as Record<string, Endpoint>)
    .filter(([, { options }]) => {
      const fields = fieldsOf(options?.body)
      return fields.includes('role') || fields.includes('*')
    })
    .map(([name, endpoint]) => ({ name, path: endpoint.path ?? '', endpoint }))

const startBackendWithRoles = async (t: Test) => {
  const backend = await anInstallation()
  t.teardown(backend.end)
  const { databases } = backend
  const owner = await aMember({ databases, role: 'owner', email: 'owner@example.com' })
  const admin = await aMember({ databases, role: 'admin', org: owner.org, email: 'admin@example.com' })
  const member = await aMember({ databases, role: 'member', org: owner.org, email: 'member@example.com' })
  const siteAdmin = await aPerson({ databases, siteRole: 'admin', email: 'site@example.com' })
  const outsider = await aPerson({ databases, email: 'outsider@example.com' })
  const memberId = async (userId: string) =>
    (await databases.read.selectFrom('member').select('id').where('userId', '=', userId).executeTakeFirstOrThrow()).id
  const stored = async () => ({
    members: await databases.read.selectFrom('member').select(['id', 'role']).orderBy('id').execute(),
    invitations: await databases.read.selectFrom('invitation').select(['id', 'role']).orderBy('id').execute(),
    users: await databases.read.selectFrom('user').select(['id', 'role']).orderBy('id').execute(),
  })
  return {
    ...backend,
    owner,
    admin,
    member,
    siteAdmin,
    outsider,
    memberIdOfMember: await memberId(member.user.id),
    stored,
  }
}
type Backend = Awaited<ReturnType<typeof startBackendWithRoles>>

interface Attempt {
  readonly as: (backend: Backend) => { cookie: string }
  readonly body: (backend: Backend, role: unknown) => unknown
  readonly bad: readonly unknown[]
}

/**
 * How each endpoint is called with a role. A new endpoint of better-auth fails the test below until it is listed here.
 */
const attempts: Readonly<Record<string, Attempt>> = {
  createInvitation: {
    as: backend => backend.admin,
    body: ({ admin }, role) => ({ organizationId: admin.org.id, email: 'new@example.com', role }),
    bad: badOrgRoles,
  },
  updateMemberRole: {
    as: backend => backend.admin,
    body: ({ admin, memberIdOfMember }, role) => ({
      organizationId: admin.org.id,
      memberId: memberIdOfMember,
      role,
    }),
    bad: badOrgRoles,
  },
  addMember: {
    as: backend => backend.owner,
    body: ({ owner, outsider }, role) => ({ organizationId: owner.org.id, userId: outsider.user.id, role }),
    bad: badOrgRoles,
  },
  setRole: {
    as: backend => backend.siteAdmin,
    body: ({ outsider }, role) => ({ userId: outsider.user.id, role }),
    bad: badSiteRoles,
  },
  createUser: {
    as: backend => backend.siteAdmin,
    body: (_backend, role) => ({ email: 'created@example.com', name: 'Created', role }),
    bad: badSiteRoles,
  },
  adminUpdateUser: {
    as: backend => backend.siteAdmin,
    body: ({ outsider }, role) => ({ userId: outsider.user.id, data: { role } }),
    bad: badSiteRoles,
  },
  updateUser: {
    as: backend => backend.outsider,
    body: (_backend, role) => ({ role }),
    bad: [...badSiteRoles, 'admin'],
  },
  signInEmailOTP: {
    as: () => ({ cookie: '' }),
    body: (_backend, role) => ({ email: 'outsider@example.com', otp: '000000', role }),
    bad: [...badSiteRoles, 'admin'],
  },
  createOrganization: {
    as: backend => backend.outsider,
    body: (_backend, role) => ({ name: 'Otra', slug: 'otra-de-prueba', metadata: { role }, role }),
    bad: [],
  },
  updateOrganization: {
    as: backend => backend.owner,
    body: ({ owner }, role) => ({ organizationId: owner.org.id, data: { metadata: { role } }, role }),
    bad: [],
  },
}

/** They accept a role, or any field, but give nobody one. */
const harmless = new Set([
  // Returns whether a role may do something.
  'userHasPermission',
  'hasPermission',
  // A key has no role of its own; its creator's limits it.
  'createApiKey',
  'verifyApiKey',
])

t.test('every call of better-auth that takes a role is known here', async t => {
  const { auth, end } = await anInstallation()
  t.teardown(end)
  const names = callsThatTakeARole(auth).map(({ name }) => name)
  for (const needed of ['createInvitation', 'updateMemberRole', 'addMember', 'setRole', 'createUser'])
    t.ok(names.includes(needed), `the walk sees ${needed}`)
  const open = new Set<string>(listAllowedRoutes().map(({ path }) => path))
  for (const { name, path } of callsThatTakeARole(auth)) {
    const isServers = path === '' || path.startsWith('/admin/')
    t.ok(
      attempts[name] || harmless.has(name) || !(isServers || open.has(path)),
      `${name} (${path}): say in test/hostile/roles.test.ts how it is asked for a role`,
    )
  }
})

for (const [name, { as, body, bad }] of Object.entries(attempts))
  t.test(
    `${name}: a role that is not exactly one of ours is refused and changes nothing, over HTTP and in-process`,
    async t => {
      const backend = await startBackendWithRoles(t)
      const endpoint = (backend.auth.betterAuth.api as unknown as Record<string, Endpoint>)[name] as Endpoint
      t.ok(endpoint, 'better-auth has this endpoint')
      const open = listAllowedRoutes().some(({ path }) => path === endpoint.path)
      const { cookie } = as(backend)
      const before = await backend.stored()
      for (const role of bad) {
        const said = JSON.stringify(role)
        if (open) {
          const reply = await backend.post(endpoint.path ?? '', body(backend, role), { cookie })
          t.ok(reply.statusCode >= 400 || name === 'updateUser', `${said}: ${reply.statusCode}`)
          t.same(await backend.stored(), before, said)
        }
      }
      for (const role of bad) {
        const outcome = endpoint({ body: body(backend, role), headers: new Headers({ cookie }) })
        await outcome.catch((error: unknown) => t.type(error, Error))
        const { members, invitations, users } = await backend.stored()
        for (const row of [...members, ...invitations])
          t.ok(isOrgRole(row.role), `${JSON.stringify(role)}: ${row.role}`)
        for (const row of users)
          t.ok(row.role === 'admin' || row.role === 'user', `${JSON.stringify(role)}: ${row.role}`)
        t.equal(members.filter(row => row.role === 'owner').length, 1, 'nobody else became an owner')
      }
    },
  )

t.test('the spelling that once made an admin an owner is refused by field', async t => {
  const { post, admin } = await startBackendWithRoles(t)
  for (const role of ['admin, owner', ['member, owner']]) {
    const body = { organizationId: admin.org.id, email: 'new@example.com', role }
    const reply = await post('/organization/invite-member', body, { cookie: admin.cookie, 'accept-language': 'es' })
    t.equal(reply.statusCode, 400)
    t.match(reply.json(), { code: 'APP_VALIDATION', details: [{ field: 'body.role' }] })
  }
})

t.test('each role can be given', async t => {
  const { post, owner, memberIdOfMember, databases } = await startBackendWithRoles(t)
  for (const role of orgRoles) {
    const email = `new-${role}@example.com`
    t.equal((await post('/organization/invite-member', { email, role }, { cookie: owner.cookie })).statusCode, 200)
    const change = { organizationId: owner.org.id, memberId: memberIdOfMember, role }
    t.equal((await post('/organization/update-member-role', change, { cookie: owner.cookie })).statusCode, 200)
    const row = await databases.read.selectFrom('member').select('role').where('id', '=', memberIdOfMember).execute()
    t.same(row, [{ role }])
  }
})

t.test('a stored role must match exactly; anything else counts as viewer', async t => {
  for (const role of orgRoles) t.equal(effectiveRole(role), role)
  for (const role of badOrgRoles) t.equal(effectiveRole(role as string), 'viewer', JSON.stringify(role))
})
