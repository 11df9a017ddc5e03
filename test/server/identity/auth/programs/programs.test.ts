import t from 'tap'
import { derivedSsoEndpoints } from '#shared/auth/sso.ts'
import { aMember } from '#test/helpers/actors.ts'
import { chatStage } from '#test/helpers/chat-stage.ts'
import { connectAgent } from '#test/helpers/mcp.ts'
import { aProgram, callback, connectProgram, letIn } from '#test/helpers/programs.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const phone = '5491155550101'

const programStage = async (t: Parameters<typeof chatStage>[0]) => {
  const stage = await chatStage(t)
  await stage.call('POST', '/sandbox/inbound', { from: phone, name: 'Ana', type: 'text', text: '¿Hacen envíos?' })
  await stage.backend.settle()
  return stage
}

t.test('the official client connects by address alone, and acts with what was granted', async t => {
  const { backend, owner, call } = await programStage(t)
  const { client, use, asked, address, kept } = await connectProgram(t, backend, owner)
  t.equal(asked.pathname, '/oauth/authorize')
  t.match(Object.fromEntries(address?.searchParams ?? []), { state: 'state-1', iss: 'http://localhost:3000' })
  t.match(kept.tokens, { token_type: 'Bearer', scope: 'chat:read note:write', expires_in: 3600 })
  const names = (await client.listTools()).tools.map(({ name }) => name)
  t.ok(names.includes('conversations_read') && names.includes('notes_add'))
  for (const name of ['messages_send', 'messages_draft', 'stats_summary']) t.notOk(names.includes(name), name)
  t.match(await use('conversations_read', { phone }), { items: [{ text: '¿Hacen envíos?' }] })
  t.match(await use('notes_add', { phone, text: 'Prefiere la tarde' }), { author: { name: 'Agente' } })
  await t.rejects(client.callTool({ name: 'messages_send', arguments: { numberTel: phone, message: 'x' } }))

  const { items } = (await call('GET', '/account/programs')).body
  t.match(items, [
    {
      name: 'Agente',
      host: 'localhost',
      scopes: ['chat:read', 'note:write'],
      lastUsedAt: String,
      organization: { slug: owner.org.slug },
    },
  ])
  t.match((await call('GET', '/organization/programs')).body.items, [{ id: items[0].id, connectedBy: owner.user.name }])
  await backend.settle()
  const calls = (await call('GET', `/organization/api-calls?key=${items[0].id}`)).body.items
  t.match(calls, [{ route: '/api/whatsapp/conversations/:phone/notes', status: 201 }, { status: 200 }])
  t.same((await call('GET', '/auth/api-key/list')).body.apiKeys, [], 'it is no API key of the organization')
  t.same(backend.errors(), [])
})

t.test('it acts with the role and the visibility of the person, in that organization alone', async t => {
  const { backend, databases, owner } = await programStage(t)
  const viewer = await aMember({ databases, org: owner.org, role: 'viewer' })
  const program = await aProgram(backend)
  t.equal((await letIn(backend, viewer, program.request(), ['chat:read', 'note:write'])).status, 403)
  const other = await aMember({ databases, orgName: 'Taller' })
  t.equal(
    (await letIn(backend, { cookie: viewer.cookie, org: other.org }, program.request(), ['chat:read'])).status,
    403,
  )
  const { access } = await program.connect(viewer, ['chat:read'])
  const own = await connectAgent(t, backend.url, access, { headers: { 'x-organization': owner.org.slug } })
  t.match(await own.use('conversations_find'), { items: [{ name: 'Ana' }] })
  const elsewhere = await connectAgent(t, backend.url, access, { headers: { 'x-organization': other.org.slug } })
  t.same((await elsewhere.client.listTools()).tools, [])
  await t.rejects(elsewhere.use('conversations_find'))
})

t.test('a token opens nothing but the address it was made for', async t => {
  const { backend, owner } = await programStage(t)
  const program = await aProgram(backend)
  const { access, refresh } = await program.connect(owner)
  t.equal((await program.ask(access)).statusCode, 200)
  for (const headers of [{ 'x-api-key': access }, { authorization: `Bearer ${access}` }])
    t.equal((await backend.inject({ url: '/api/whatsapp/conversations', headers })).statusCode, 401)
  t.equal(
    (await backend.inject({ url: '/graph/v25.0/1', headers: { authorization: `Bearer ${access}` } })).statusCode,
    401,
  )
  for (const token of [refresh, `${access}x`, 'recado_access_', 'x']) {
    const refused = await program.ask(token)
    t.equal(refused.statusCode, 401)
    t.match(refused.headers['www-authenticate'], /error="invalid_token"/)
  }
})

t.test('without a token the answer says where to get one', async t => {
  const { backend } = await programStage(t)
  const refused = await backend.inject({ method: 'POST', url: '/mcp', payload: {} })
  t.equal(refused.statusCode, 401)
  const named = /resource_metadata="([^"]+)"/.exec(String(refused.headers['www-authenticate']))?.[1]
  t.equal(named, 'http://localhost:3000/.well-known/oauth-protected-resource/mcp')
  for (const path of ['/mcp', '']) {
    const metadata = (await backend.inject({ url: `/.well-known/oauth-protected-resource${path}` })).json()
    t.match(metadata, { resource: 'http://localhost:3000/mcp', authorization_servers: ['http://localhost:3000'] })
  }
  t.match((await backend.inject({ url: '/.well-known/oauth-authorization-server' })).json(), {
    issuer: 'http://localhost:3000',
    code_challenge_methods_supported: ['S256'],
    token_endpoint_auth_methods_supported: ['none'],
  })
})

t.test('access ends with membership, account or a required second factor, at the next call and refresh', async t => {
  const { backend, databases, owner, clock } = await programStage(t)
  const program = await aProgram(backend)
  const ends = {
    left: (userId: string) => databases.write.deleteFrom('member').where('userId', '=', userId).execute(),
    banned: (userId: string) =>
      databases.write.updateTable('user').set({ banned: 1 }).where('id', '=', userId).execute(),
  }
  for (const [why, end] of Object.entries(ends)) {
    const member = await aMember({ databases, org: owner.org, role: 'member' })
    const { access, refresh } = await program.connect(member)
    t.equal((await program.ask(access)).statusCode, 200)
    await end(member.user.id)
    t.equal((await program.ask(access)).statusCode, 401, why)
    t.match((await program.refresh(refresh)).json(), { error: 'invalid_grant' }, why)
  }

  const member = await aMember({ databases, org: owner.org, role: 'member' })
  const { access, refresh } = await program.connect(member)
  const demands = (set: object) =>
    databases.write
      .insertInto('org_settings')
      .values({ org_id: owner.org.id, updated_at: clock.now().toISOString(), ...set } as never)
      .onConflict(oc => oc.column('org_id').doUpdateSet(set as never))
      .execute()
  await demands({ second_factor_required: 1 })
  t.equal((await program.ask(access)).statusCode, 401, 'a second factor is demanded')
  await demands({ second_factor_required: 0 })
  t.equal((await program.ask(access)).statusCode, 200)

  const at = clock.now().toISOString()
  await databases.write
    .insertInto('sso_demand')
    .values({ org_id: owner.org.id, exempt_user_id: owner.user.id, created_at: at })
    .execute()
  t.equal((await program.ask(access)).statusCode, 401, 'single sign-on is demanded')
  t.match((await program.refresh(refresh)).json(), { error: 'invalid_grant' })
  await databases.write.deleteFrom('sso_demand').where('org_id', '=', owner.org.id).execute()

  await databases.write.updateTable('organization').set({ deleted_at: at }).where('id', '=', owner.org.id).execute()
  t.equal((await program.ask(access)).statusCode, 401, 'the organization is gone')
})

t.test('an organization open by single sign-on alone is open to a program let in that way', async t => {
  const { backend, databases, owner, clock } = await programStage(t)
  const id = 'recado-12345'
  const registered = await backend.inject({
    method: 'POST',
    url: '/api/auth/sso/register',
    headers: { cookie: owner.cookie },
    payload: {
      ...{ providerId: id, domain: 'trigal.example', clientId: 'recado', clientSecret: 'secreto' },
      ...derivedSsoEndpoints('id.trigal.example'),
    },
  })
  t.equal(registered.statusCode, 200)
  const member = await aMember({ databases, org: owner.org, role: 'member' })
  await databases.write
    .updateTable('session')
    .set({ ssoProviderId: id })
    .where('id', '=', member.person.sessionId)
    .execute()
  await databases.write
    .insertInto('sso_demand')
    .values({ org_id: owner.org.id, exempt_user_id: owner.user.id, created_at: clock.now().toISOString() })
    .execute()
  const program = await aProgram(backend)
  const { access, refresh } = await program.connect(member)
  t.equal((await program.ask(access)).statusCode, 200)
  const byExempt = await program.connect(owner)
  t.equal((await program.ask(byExempt.access)).statusCode, 200, 'the owner who is exempt')
  await databases.write.updateTable('sso_demand').set({ exempt_user_id: null }).execute()
  await databases.write.updateTable('member').set({ role: 'admin' }).where('userId', '=', member.user.id).execute()
  t.equal((await program.ask(access)).statusCode, 200)
  await databases.write.deleteFrom('sso_provider').where('id', '=', id).execute()
  t.equal((await program.ask(access)).statusCode, 401, 'its provider is gone')
  t.match((await program.refresh(refresh)).json(), { error: 'invalid_grant' })
})

t.test('a code is used once, in time, by the client that asked, with its verifier', async t => {
  const { backend, owner, call, clock } = await programStage(t)
  const program = await aProgram(backend)
  const code = async () =>
    (await letIn(backend, owner, program.request(), ['chat:read'])).address?.searchParams.get('code') ?? ''
  const refused = async (fields: Record<string, string>, error = 'invalid_grant') => {
    const one = await code()
    const reply = await program.exchange(one, fields)
    t.match({ status: reply.statusCode, ...reply.json() }, { error }, JSON.stringify(fields))
    t.match((await program.exchange(one)).json(), { error: 'invalid_grant' }, 'a wrong attempt uses it up')
  }
  await refused({ code_verifier: 'x'.repeat(43) })
  await refused({ redirect_uri: 'http://127.0.0.1:45454/other' })
  await refused({ client_id: (await aProgram(backend)).clientId })
  t.match((await program.exchange(await code(), { client_id: 'x.y' })).json(), { error: 'invalid_client' })
  t.match((await program.exchange(await code(), { resource: 'https://evil.example/mcp' })).json(), {
    error: 'invalid_target',
  })
  t.match((await program.exchange(await code(), { grant_type: 'password' })).json(), {
    error: 'unsupported_grant_type',
  })
  const late = await code()
  clock.advance(6 * 60_000)
  t.match((await program.exchange(late)).json(), { error: 'invalid_grant' })

  const { code: used, access, refresh } = await program.connect(owner)
  t.equal((await program.ask(access)).statusCode, 200)
  t.match((await program.exchange(used)).json(), { error: 'invalid_grant' })
  t.equal((await program.ask(access)).statusCode, 401, 'the second use ends what the first one got')
  t.match((await program.refresh(refresh)).json(), { error: 'invalid_grant' })
  t.match((await call('GET', '/organization/audit')).body.items, [
    { action: 'programEnded', who: { kind: 'key', name: 'MCP' } },
    {
      action: 'programConnected',
      who: { kind: 'person' },
      subject: 'MCP',
      changes: [{ fact: 'scopes', after: 'chat:read' }],
    },
  ])
})

t.test('refresh tokens are exchanged for the next one; an old one ends the connection', async t => {
  const { backend, owner, clock } = await programStage(t)
  const program = await aProgram(backend)
  const { access, refresh } = await program.connect(owner)
  t.match((await program.refresh(refresh, { scope: 'chat:read chat:reply' })).json(), { error: 'invalid_scope' })
  t.match((await program.refresh(refresh, { client_id: (await aProgram(backend)).clientId })).json(), {
    error: 'invalid_grant',
  })
  t.match((await program.refresh(access)).json(), { error: 'invalid_grant' })
  clock.advance(61 * 60_000)
  t.equal((await program.ask(access)).statusCode, 401, 'it ends after an hour')
  const next = (await program.refresh(refresh)).json()
  t.equal((await program.ask(next.access_token)).statusCode, 200)
  const again = (await program.refresh(refresh)).json()
  t.equal((await program.ask(again.access_token)).statusCode, 200, 'an answer that was lost can be asked for again')
  t.equal((await program.ask(next.access_token)).statusCode, 200)
  clock.advance(31_000)
  t.match((await program.refresh(refresh)).json(), { error: 'invalid_grant' })
  t.equal((await program.ask(again.access_token)).statusCode, 401)

  const later = await program.connect(owner)
  clock.advance(61 * 86_400_000)
  t.match((await program.refresh(later.refresh)).json(), { error: 'invalid_grant' }, 'unused for two months')
  t.ok((await backend.parts.auth.prune(clock.now())) > 0)
  t.same(await backend.databases.read.selectFrom('oauth_token').selectAll().execute(), [])
  t.same(await backend.databases.read.selectFrom('apikey').selectAll().execute(), [])
})

t.test('the program, the person and an administrator each end it', async t => {
  const { backend, databases, owner, call } = await programStage(t)
  const member = await aMember({ databases, org: owner.org, role: 'member' })
  const program = await aProgram(backend)
  const mine = await program.connect(member)
  t.equal((await program.revoke(mine.access)).statusCode, 200)
  t.equal((await program.ask(mine.access)).statusCode, 401)
  const next = (await program.refresh(mine.refresh)).json()
  t.equal((await (await aProgram(backend)).revoke(next.refresh_token)).statusCode, 200)
  t.equal((await program.ask(next.access_token)).statusCode, 200, 'another client revokes nothing')
  t.equal((await program.revoke(next.refresh_token)).statusCode, 200)
  t.equal((await program.ask(next.access_token)).statusCode, 401)

  const byPerson = await program.connect(member)
  const [{ id }] = (await call('GET', '/account/programs', undefined, member)).body.items
  t.equal((await call('DELETE', `/account/programs/${id}`)).status, 404, 'not by somebody else')
  t.equal((await call('DELETE', `/organization/programs/${id}`, undefined, member)).status, 403)
  t.equal((await call('DELETE', `/account/programs/${id}`, undefined, member)).status, 200)
  t.equal((await program.ask(byPerson.access)).statusCode, 401)

  const byAdmin = await program.connect(member)
  const [listed] = (await call('GET', '/organization/programs')).body.items
  const stranger = await aMember({ databases, orgName: 'Taller' })
  t.equal((await call('DELETE', `/organization/programs/${listed.id}`, undefined, stranger)).status, 404)
  t.equal((await call('POST', '/auth/api-key/delete', { keyId: listed.id })).status, 404)
  t.equal((await call('DELETE', `/organization/programs/${listed.id}`)).status, 200)
  t.equal((await program.ask(byAdmin.access)).statusCode, 401)
  const entries = (await call('GET', '/organization/audit')).body.items
  t.match(entries[0], { action: 'programEnded', who: { name: owner.user.name }, subject: 'MCP' })
  t.equal(entries.filter(({ action }: { action: string }) => action === 'programEnded').length, 3)
})

t.test('connecting again replaces what the same client had; there is a bound for others', async t => {
  const { backend, owner, call } = await programStage(t)
  const program = await aProgram(backend)
  const first = await program.connect(owner)
  await program.connect(owner)
  t.equal((await program.ask(first.access)).statusCode, 401)
  t.equal((await call('GET', '/account/programs')).body.items.length, 1)
  for (let i = 1; i < 20; i += 1) {
    await (await aProgram(backend)).connect(owner)
    backend.clock.advance(6 * 60_000)
  }
  t.equal((await call('GET', '/account/programs')).body.items.length, 20)
  const { status, code } = await letIn(backend, owner, (await aProgram(backend)).request(), ['chat:read'])
  t.match({ status, code }, { status: 409, code: 'AUTH_TOO_MANY_PROGRAMS' })
})

t.test('a wrong request is sent back to a known address of the program, otherwise to none', async t => {
  const { backend, owner, call } = await programStage(t)
  const program = await aProgram(backend)
  const look = (more: Record<string, string>) =>
    call('GET', `/account/programs/request?${new URLSearchParams(program.request(more))}`)
  const right = await look({ state: 'a&b', scope: 'chat:read openid' })
  t.match(right.body, { program: { name: 'MCP', host: 'localhost' }, scopes: ['chat:read'], isFaulty: false })
  t.equal(new URL(right.body.refusal).searchParams.get('state'), 'a&b')
  t.match(new URL(right.body.refusal).searchParams.get('error'), 'access_denied')
  for (const [more, error] of [
    [{ responseType: 'token' }, 'unsupported_response_type'],
    [{ codeChallengeMethod: 'plain' }, 'invalid_request'],
    [{ codeChallenge: 'short' }, 'invalid_request'],
    [{ scope: 'org:delete' }, 'invalid_scope'],
    [{ resource: 'https://evil.example/mcp' }, 'invalid_target'],
  ] as [Record<string, string>, string][]) {
    const { body } = await look(more)
    t.match(body, { isFaulty: true }, error)
    t.ok(body.refusal.startsWith(`${callback}?error=${error}`), error)
    const { address } = await letIn(backend, owner, program.request(more), ['chat:read'])
    t.equal(address?.searchParams.get('code'), null)
  }
  t.match(await look({ clientId: 'x.y' }), { status: 400, body: { code: 'AUTH_PROGRAM_UNKNOWN' } })
  t.match(await look({ clientId: `${program.clientId}x` }), { status: 400, body: { code: 'AUTH_PROGRAM_UNKNOWN' } })
  for (const redirectUri of [
    'https://evil.example/callback',
    'http://127.0.0.1:45454/callback/x',
    'http://localhost:1/callback',
  ])
    t.match(await look({ redirectUri }), { status: 400, body: { code: 'AUTH_PROGRAM_ADDRESS_WRONG' } }, redirectUri)
  t.equal((await look({ redirectUri: 'http://127.0.0.1:1/callback' })).status, 200, 'any port of the own computer')
  const opensApp = 'cursor://anysphere.cursor-mcp/oauth/callback'
  const app = await backend.inject({
    ...{ method: 'POST', url: '/oauth/register', payload: { redirect_uris: [opensApp] } },
  })
  const ofApp = { clientId: app.json().client_id, redirectUri: opensApp }
  t.match((await look(ofApp)).body, { program: { host: 'cursor:' }, isFaulty: false }, 'an app on the own computer')
  t.equal((await look({ ...ofApp, redirectUri: `${opensApp}/x` })).status, 400, 'its whole address counts')
  const { status } = await letIn(backend, owner, program.request({ scope: 'chat:read' }), ['chat:read', 'chat:reply'])
  t.equal(status, 403, 'no more than was asked for')
})

t.test('consent comes from our own page, and from a person', async t => {
  const { backend, owner } = await programStage(t)
  const program = await aProgram(backend)
  const post = async (headers: Record<string, string>) =>
    (
      await backend.inject({
        method: 'POST',
        url: '/api/organization/programs',
        headers,
        payload: { request: program.request(), scopes: ['chat:read'] },
      })
    ).statusCode
  const { cookie } = owner
  t.equal(await post({ cookie, origin: 'https://evil.example' }), 403)
  t.equal(await post({ cookie, 'sec-fetch-site': 'cross-site' }), 403)
  t.equal(await post({}), 401)
  await backend.databases.write
    .updateTable('session')
    .set({ impersonatedBy: 'somebody' })
    .where('id', '=', owner.person.sessionId)
    .execute()
  t.equal(await post({ cookie }), 403)
})

t.test('registrations are bounded, and none is stored', async t => {
  const { backend } = await programStage(t)
  const register = (payload: unknown) =>
    backend.inject({
      method: 'POST',
      url: '/oauth/register',
      headers: { 'content-type': 'application/json' },
      payload: JSON.stringify(payload),
    })
  const uris = (...redirect_uris: unknown[]) => ({ redirect_uris })
  const bad: unknown[] = [
    ...[{}, null, [], uris(), uris(7), { redirect_uris: 'https://a.example' }],
    ...['http://a.example/', 'http://localhost.evil.example/', 'http://127.0.0.1@evil.example/', 'ftp://a.example'].map(
      one => uris(one),
    ),
    ...['javascript:alert(1)', 'https://a.example/#x', 'https://a.example\\@b.example', 'https://u:p@a.example'].map(
      one => uris(one),
    ),
    ...[
      ...[
        'cursor:x',
        'vbscript:x',
        'data:text/html,x',
        'file:///etc/passwd',
        'com.a.b:x',
        'com.a.b:/x#y',
        'other://x',
        'cursor://anysphere.cursor-deeplink/mcp/install?name=x',
      ],
      'https://',
      ' https://a.example',
      'https://ejemplo.exámple',
      `https://a.example/${'x'.repeat(1000)}`,
    ].map(one => uris(one)),
    uris(...Array(11).fill('https://a.example/')),
    ...['x'.repeat(10_240), 'Claude\u202Eedu', '\u200B', 'Сlaude', '', 7].map(client_name => ({
      client_name,
      ...uris('https://a.example/'),
    })),
  ]
  for (const one of bad) {
    const reply = await register(one)
    t.equal(reply.statusCode, 400, JSON.stringify(one)?.slice(0, 80))
    t.match(reply.json().error ?? reply.json().code, /^invalid_|^APP_/)
    backend.clock.advance(1000)
  }
  for (const one of ['cursor://anysphere.cursor-mcp/oauth/callback', 'com.example.agent:/oauth']) {
    const app = await register(uris(one))
    t.equal(app.statusCode, 201, one)
    backend.clock.advance(1000)
  }
  const markup = await register({ client_name: '<b>Claude</b>', ...uris('https://a.example/') })
  t.match(markup.json(), { client_name: '<b>Claude</b>', token_endpoint_auth_method: 'none' })
  const statuses = new Map<number, number>()
  for (let i = 0; i < 1000; i += 1) {
    const { statusCode } = await register(uris('https://a.example/'))
    statuses.set(statusCode, (statuses.get(statusCode) ?? 0) + 1)
  }
  t.ok((statuses.get(201) ?? 0) <= 60)
  t.ok((statuses.get(429) ?? 0) >= 940)
  t.same(await backend.databases.read.selectFrom('oauth_program').selectAll().execute(), [])
})

t.test('forms of the token address that are wrong', async t => {
  const { backend } = await programStage(t)
  const post = (payload: string, type = 'application/x-www-form-urlencoded') =>
    backend.inject({ method: 'POST', url: '/oauth/token', headers: { 'content-type': type }, payload })
  t.match((await post('grant_type=refresh_token&grant_type=x')).json(), { error: 'invalid_request' })
  t.match((await post('')).json(), { error: 'unsupported_grant_type' })
  t.match((await post('grant_type=refresh_token')).json(), { error: 'invalid_client' })
  t.match((await post('{}', 'application/json')).json(), { error: 'unsupported_grant_type' })
  t.equal((await post('<a/>', 'text/xml')).statusCode, 415)
  t.equal((await post(`code=${'x'.repeat(40_000)}`)).statusCode, 413)
})
