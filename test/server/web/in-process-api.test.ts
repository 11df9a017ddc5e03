import t from 'tap'
import type { TSchema } from 'typebox'
import { Create } from 'typebox/value'
import { seesAll } from '#server/identity/visibility/scope.ts'
import type { Caller } from '#server/platform/http/access.ts'
import type { Member, Person } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import type { AnyService } from '#server/platform/http/http.ts'
import { createMemo, type Memo } from '#server/platform/work/memo.ts'
import { createInProcessApi, type Services } from '#server/web/in-process-api.ts'
import { api } from '#shared/api.ts'

const ana = {
  kind: 'person',
  userId: 'u-ana',
  name: 'Ana Rossi',
  email: 'ana@example.com',
  image: null,
  siteRole: 'user',
  sessionId: 's-1',
  activeOrgId: 'org-luis',
} as const
const donLuis = { id: 'org-luis', name: 'Panadería Don Luis', slug: 'don-luis', logo: null, role: 'owner' }
const anasView = {
  user: { id: ana.userId, name: ana.name, email: ana.email, image: null, signature: '', role: 'user' },
  organizations: [donLuis],
  active: donLuis,
}
const person: Person = { ...ana, language: 'es' }
const member: Member = {
  ...person,
  orgId: 'org-luis',
  orgSlug: 'don-luis',
  orgName: 'Don Luis',
  role: 'viewer',
  scope: seesAll,
}
const stranger: Caller = { language: 'es', person: null, member: async () => undefined }
const viewer: Caller = { language: 'es', person, member: async org => (org === 'don-luis' ? member : undefined) }

const open = (caller: Caller, fakes: Partial<Record<keyof Services, AnyService>> = {}, memo?: Memo) => {
  const logged: unknown[] = []
  const asked: { name: string; actor: unknown; input: unknown }[] = []
  const services = Object.fromEntries(
    Object.entries(api).map(([room, endpoints]) => [
      room,
      Object.fromEntries(
        Object.entries(endpoints as Record<string, { reply: TSchema }>).map(([name, { reply }]) => [
          name,
          (actor: unknown, input: unknown) => {
            asked.push({ name: `${room}.${name}`, actor, input })
            return fakes[room as keyof Services]?.[name]?.(actor, input) ?? Create(reply)
          },
        ]),
      ),
    ]),
  ) as unknown as Services
  const made = createInProcessApi(services, memo)
  const apiFor = made.open({
    caller,
    requestId: 'req-7',
    translate: (key, params) => `${key} ${JSON.stringify(params)}`,
    log: { error: (facts: unknown) => logged.push(facts) } as never,
  })
  return { apiFor, print: made.print, asked, logged }
}

t.test('a stranger is refused as over HTTP and no service hears of it', async t => {
  const { apiFor, asked } = open(stranger)
  await t.rejects(apiFor('don-luis').inbox.listConversations({ query: {} }), {
    name: 'ApiError',
    status: 401,
    code: 'APP_SIGN_IN_REQUIRED',
  })
  await t.rejects(apiFor().orgs.getViewer({}), { status: 401, name: 'ApiError' })
  t.same(asked, [])
})

t.test('somebody of another organization and a role without the right are refused', async t => {
  const { apiFor, asked } = open(viewer)
  await t.rejects(apiFor('norte').inbox.listConversations({ query: {} }), { status: 403, code: 'APP_FORBIDDEN' })
  await t.rejects(apiFor('don-luis').numbers.getConnection({ query: {} }), { status: 403, name: 'ApiError' })
  t.same(asked, [])
})

t.test('input is read by the schema: converted, completed, refused', async t => {
  const { apiFor, asked } = open(viewer)
  await apiFor('don-luis').inbox.listConversations({ query: { page: '3' as never } })
  t.match(asked[0], { actor: { orgId: 'org-luis' }, input: { query: { page: 3, pageSize: 30, archived: false } } })
  await t.rejects(apiFor('don-luis').inbox.listConversations({ query: { page: 'x' as never } }), {
    status: 400,
    code: 'APP_VALIDATION',
  })
  await t.rejects(apiFor('don-luis').inbox.listConversations({ query: { extra: 1 } as never }), {
    status: 400,
    name: 'ApiError',
  })
})

t.test('what fails inside is logged whole and told as one sentence', async t => {
  const { apiFor, logged } = open(viewer, {
    inbox: {
      listConversations: () => {
        throw new Error('no such column: secret')
      },
    },
  })
  const refused = await apiFor('don-luis')
    .inbox.listConversations({ query: {} })
    .then(
      () => undefined,
      error => error,
    )
  t.match(refused, { name: 'ApiError', status: 500, code: 'APP_INTERNAL', requestId: 'req-7' })
  t.notMatch(String(refused.message), /secret/)
  t.match(logged, [{ err: { message: 'no such column: secret' }, endpoint: 'inbox.listConversations', reqId: 'req-7' }])
})

t.test('a refusal keeps its code, its status and its facts', async t => {
  const { apiFor, logged } = open(viewer, {
    orgs: {
      getViewer: () => {
        throw appErrors.UNAVAILABLE({ params: { minutes: 3 } })
      },
    },
  })
  await t.rejects(apiFor().orgs.getViewer({}), {
    status: 503,
    code: 'APP_UNAVAILABLE',
    message: /errors:APP_UNAVAILABLE .*"minutes":3/,
  })
  t.same(logged, [])
})

t.test('a locked database is told in-process as over HTTP: it passes, and when to come back', async t => {
  const { apiFor, logged } = open(viewer, {
    orgs: {
      getViewer: () => {
        throw Object.assign(new Error('database is locked'), { code: 'SQLITE_BUSY' })
      },
    },
  })
  await t.rejects(apiFor().orgs.getViewer({}), { status: 503, code: 'APP_UNAVAILABLE', retryAfterSeconds: 5 })
  t.match(logged, [{ err: { message: 'database is locked' } }], 'and leaves a line')
})

t.test('which fields are at fault survives in-process', async t => {
  const { apiFor } = open(viewer, {
    orgs: {
      getViewer: () => {
        throw appErrors.FORBIDDEN({ fields: ['body.role'], retryAfterSeconds: 7 })
      },
    },
  })
  const thrown = (call: Promise<unknown>) => call.catch((error: unknown) => error)
  t.match(await thrown(apiFor('don-luis').inbox.listConversations({ query: { page: 'x' as never } })), {
    details: [{ field: 'query.page', code: 'type' }],
  })
  t.match(await thrown(apiFor().orgs.getViewer({})), {
    details: [{ field: 'body.role', code: 'APP_FORBIDDEN' }],
    retryAfterSeconds: 7,
  })
})

t.test('a field that the reply schema does not have reaches no page', async t => {
  const leaky = { ...anasView, user: { ...anasView.user, passwordHash: 'x' }, secret: 'y' }
  const { apiFor } = open(viewer, { orgs: { getViewer: () => leaky } })
  t.same(await apiFor().orgs.getViewer({}), anasView)
})

t.test('an answer that its schema refuses is logged, and no page renders it', async t => {
  const { apiFor, logged } = open(viewer, { inbox: { listConversations: () => ({ page: 1 }) } })
  await t.rejects(apiFor('don-luis').inbox.listConversations({ query: {} }), { status: 500, code: 'APP_INTERNAL' })
  t.match(logged, [{ endpoint: 'inbox.listConversations' }])
})

t.test('what is printed is what the reply schema declares', async t => {
  const { print } = open(viewer)
  const leaky = { ...anasView, user: { ...anasView.user, passwordHash: 'x' }, secret: 'y' }
  t.same(JSON.parse(print(['', 'orgs.getViewer', {}], leaky) ?? ''), anasView)
  const pages = { pages: [{ items: [], page: 1, pageSize: 30, hasMore: false, secret: 'z' }], pageParams: [1] }
  t.same(JSON.parse(print(['don-luis', 'inbox.listConversations', {}, 'pages'], pages) ?? ''), {
    pages: [{ items: [], page: 1, pageSize: 30, hasMore: false }],
    pageParams: [1],
  })
  t.equal(print(['don-luis', 'nothing.known', {}], {}), undefined)
})

/** The list as pages of several people see it, over one memo; `commit` is anybody's. */
const sharedList = () => {
  const state = { version: 1 }
  const memo = createMemo({ version: () => state.version })
  const pageOf = (facts: Partial<Member>) => {
    const someone = { ...member, ...facts }
    return open({ language: 'es', person, member: async () => someone }, { inbox: { listConversations } }, memo)
  }
  const askers: unknown[] = []
  const listConversations = (actor: unknown) => {
    askers.push(actor)
    return { items: [], page: 1, pageSize: 30, total: 0, hasMore: false, secret: 'x' }
  }
  return { askers, pageOf, commit: () => (state.version += 1) }
}
const listOf = (page: ReturnType<typeof open>, query: object = {}) =>
  page.apiFor('don-luis').inbox.listConversations({ query })

t.test('an answer shared by several readers is computed once between two commits', async t => {
  const { askers, pageOf, commit } = sharedList()
  const anas = pageOf({})
  const first = await listOf(anas)
  t.equal(await listOf(pageOf({ userId: 'user-beto', role: 'owner' } as never)), first)
  t.equal(askers.length, 1)
  await listOf(anas, { page: 2 })
  t.equal(askers.length, 2, 'another question is asked')
  commit()
  await listOf(anas)
  t.equal(askers.length, 3, 'and the first again after a commit')
})

t.test('a remembered answer is not used for another scope or organization', async t => {
  const { askers, pageOf } = sharedList()
  const all = await listOf(pageOf({}))
  const scoped = { kind: 'some', teams: ['team-1'], tags: [], own: 'user-beto' }
  for (const other of [{ orgId: 'org-norte' }, { scope: scoped }] as never[]) t.not(await listOf(pageOf(other)), all)
  t.equal(askers.length, 3)
})

t.test('what depends on the clock is asked every time', async t => {
  const { askers, pageOf } = sharedList()
  await listOf(pageOf({}), { closing: true })
  await listOf(pageOf({}), { closing: true })
  t.equal(askers.length, 2)
})

t.test('who may not is refused although others were answered', async t => {
  const { pageOf } = sharedList()
  await listOf(pageOf({}))
  await t.rejects(listOf(pageOf({ ssoMissing: true } as never)), { status: 403, code: 'APP_SSO_REQUIRED' })
})

t.test('what was remembered is printed as its reply schema declares it', async t => {
  const page = sharedList().pageOf({})
  const answer = await listOf(page)
  const key = ['don-luis', 'inbox.listConversations', { query: {} }]
  t.notMatch(page.print(key, answer), /secret/)
  t.equal(page.print(key, answer), page.print(key, answer))
})
