import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { startBackend } from '#test/helpers/backend.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'

t.setTimeout(fileTimeoutMs)

const appId = '670843887433847'
const env = {
  GRAPH_URL: 'http://localhost:3000/sandbox/graph',
  META_APP_ID: appId,
  META_APP_SECRET: 'the-shared-app-secret',
  META_VERIFY_TOKEN: 'the-shared-verify-token',
  META_CONFIG_ID: '1234567890',
}

const stage = async (t: Parameters<typeof startBackend>[0], more: Record<string, string> = env) => {
  const backend = await startBackend(t, { env: more })
  const owner = await aMember({ databases: backend.databases })
  const call = async (method: 'GET' | 'POST', path: string, payload?: object, cookie = owner.cookie) => {
    const reply = await backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie, origin: 'http://localhost:3000', 'accept-language': 'es' },
      ...(payload ? { payload } : {}),
    })
    return { status: reply.statusCode, json: reply.json() }
  }
  const signUp = async () => {
    const { code, phoneNumberId } = (await call('POST', '/sandbox/signup', { appId })).json
    return { code, phoneNumberId } as { code: string; phoneNumberId: string }
  }
  return { backend, owner, call, signUp }
}

t.test("the simulator imitates Meta's sign-up: dialog, code, number, webhooks", async t => {
  const { backend, owner, call, signUp } = await stage(t)
  // The simulated number is replaced, and its phone number is kept.
  const sandbox = await call('POST', '/whatsapp/connection/sandbox')
  const made = await call('POST', '/verify/auth', await signUp())
  t.match(made, { status: 200, json: { kind: 'cloud', phone: sandbox.json.phone, status: 'connected' } })
  t.equal(made.json.verifyToken, 'the-shared-verify-token')
  t.match(await call('GET', '/verify/waba'), { json: { kind: 'cloud', status: 'connected' } })

  const said = await call('POST', '/sandbox/inbound', { from: '5491155550177', text: 'Hola' })
  t.match(said, { status: 200, json: { status: 200 } })
  await backend.settle()
  t.match((await call('GET', '/whatsapp/conversations')).json.items, [{ phone: '5491155550177' }])
  const sent = await call('POST', '/whatsapp/messages', { type: 'text', message: 'Buenas', numberTel: '5491155550177' })
  t.equal(sent.status, 202)
  for (let i = 0; i < 3; i += 1) {
    backend.clock.advance(5_000)
    await backend.settle()
  }
  const { items } = (await call('GET', '/whatsapp/chats/5491155550177')).json as { items: { text: string }[] }
  t.match(
    items.find(({ text }) => text === 'Buenas'),
    { status: /sent|delivered/ },
  )

  const standing = await call('POST', `/whatsapp/connection/standing?id=${made.json.id}`)
  t.match(standing.status, 200)
  const bad = standing.json.checks.filter(({ state }: { state: string }) => state === 'bad')
  t.same(
    bad.map(({ id }: { id: string }) => id),
    ['webhookReach'],
    'only the reachability of this machine fails',
  )
  t.notMatch(JSON.stringify([made.json, standing.json]), /the-shared-app-secret|EAA/)
  t.same(backend.errors(), [])
  t.equal(
    (
      await backend.databases.read
        .selectFrom('wa_connection')
        .selectAll()
        .where('org_id', '=', owner.org.id)
        .where('disconnected_at', 'is', null)
        .execute()
    ).length,
    1,
  )
})

t.test('a code works once, for half a minute, for its organization and app', async t => {
  const { backend, call, signUp } = await stage(t)
  const wrong = { status: 400, json: { code: 'NUMBERS_CODE_WRONG', details: [{ field: 'body.code' }] } }
  const first = await signUp()
  const second = await signUp()
  t.match(await call('POST', '/verify/auth', first), wrong, 'a newer code invalidates it')
  t.match(await call('POST', '/verify/auth', { ...second, code: `${second.code}x` }), wrong)
  backend.clock.advance(31_000)
  t.match(await call('POST', '/verify/auth', second), wrong, 'it has expired')
  const third = await signUp()
  t.match(await call('POST', '/verify/auth', third), { status: 200 })
  t.match(await call('POST', '/verify/auth', third), wrong, 'it was already used')

  const other = await aMember({ databases: backend.databases })
  const fourth = await signUp()
  t.match(await call('POST', '/verify/auth', { ...fourth, phoneNumberId: '1' }), {
    status: 404,
    json: { code: 'NUMBERS_NOT_ADDED', details: [{ field: 'body.phoneNumberId' }] },
  })
  t.match(await call('POST', '/verify/auth', await signUp(), other.cookie), {
    status: 409,
    json: { code: 'NUMBERS_TAKEN' },
  })
  t.match(await call('POST', '/verify/auth', { code: '123456' }), {
    status: 400,
    json: { details: [{ field: 'body.number' }] },
  })
  t.match(await call('POST', '/verify/auth', { code: 'AQx', number: 'ninguno' }), {
    status: 400,
    json: { details: [{ field: 'body.number' }] },
  })
  const guest = await aMember({ databases: backend.databases, org: other.org, role: 'member' })
  t.match(await call('POST', '/sandbox/signup', { appId }, guest.cookie), { status: 403 })
})

t.test('another app, or an installation whose app is Meta’s, gets no code', async t => {
  const off = { status: 409, json: { code: 'SANDBOX_SIGNUP_OFF' } }
  const { call } = await stage(t)
  t.match(await call('POST', '/sandbox/signup', { appId: '999' }), off)
  t.match(await call('POST', '/sandbox/signup', { appId: 'x' }), { status: 400 })
  const real = await stage(t, { ...env, GRAPH_URL: 'http://127.0.0.1:9' })
  t.match(await real.call('POST', '/sandbox/signup', { appId }), off)
})
