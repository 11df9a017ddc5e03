import t from 'tap'
import { inTransaction } from '#server/platform/db/db.ts'
import { aMember } from '#test/helpers/actors.ts'
import { type FakeGraph, graphError } from '#test/helpers/graph.ts'
import { itemsOf, textWebhook } from '#test/helpers/webhooks.ts'
import { body, codeOf, connect, stage, token } from './stage.ts'

t.test('a number is connected after Graph accepted the token, and its secrets are never returned', async t => {
  const s = await stage(t)
  const connection = await connect(s)
  t.match(connection, {
    kind: 'cloud',
    phone: '15550783881',
    displayPhone: '+1 555 078 3881',
    verifiedName: 'Panadería Don Luis',
    status: 'connected',
    statusReason: null,
    webhookPath: `/webhooks/whatsapp/${connection.id}`,
  })
  t.ok(connection.verifyToken.length >= 24, 'a verify token to paste into Meta')
  t.ok(
    s.graph.requests.some(request => request.method === 'POST' && request.path.includes('/subscribed_apps')),
    "the app is subscribed to the account's events",
  )
  t.same(
    s.published.map(event => [event.type, event.data]),
    [['connection', { status: 'connected', phone: '15550783881' }]],
  )
  const everything = JSON.stringify([
    connection,
    await s.numbers.getConnection(s.member, { query: {} }),
    s.log.lines(),
    s.published,
  ])
  t.notMatch(everything, token)
  t.notMatch(everything, body.appSecret)
  t.notMatch(JSON.stringify(await s.rows()), token, 'nor are they in clear text in the database')
})

t.test('whatever Graph refuses is 502 with its reason, and nothing is stored', async t => {
  const s = await stage(t)
  const refusals: [string, RegExp, Parameters<FakeGraph['on']>[1], string][] = [
    ['an expired token', /GET/, graphError(190, 401, { error_subcode: 463 }), 'NUMBERS_TOKEN_REFUSED'],
    ['no login', /GET/, graphError(0, 401), 'NUMBERS_TOKEN_REFUSED'],
    ['a missing permission', /GET/, graphError(200, 403), 'NUMBERS_PERMISSION_MISSING'],
    ['permission 10', /GET/, graphError(10, 403), 'NUMBERS_PERMISSION_MISSING'],
    ['an unknown number', /GET/, graphError(100, 400, { error_subcode: 33 }), 'NUMBERS_NOT_FOUND'],
    ['the wrong account', /phone_numbers/, { status: 200, body: { data: [{ id: '1' }] } }, 'NUMBERS_ACCOUNT_MISMATCH'],
    [
      'the wrong app secret',
      /GET/,
      graphError(100, 400, { message: 'Invalid appsecret_proof provided in the API argument' }),
      'NUMBERS_APP_SECRET_REFUSED',
    ],
    ['a limit', /GET/, graphError(4, 400), 'NUMBERS_BUSY'],
    ['HTML', /GET/, 'html', 'NUMBERS_UNREADABLE'],
    ['a broken line', /GET/, 'reset', 'NUMBERS_UNREACHABLE'],
    ['a locked account', /GET/, graphError(131031, 400), 'NUMBERS_REFUSED'],
    ['a subscription refused', /subscribed_apps/, graphError(10, 403), 'NUMBERS_PERMISSION_MISSING'],
  ]
  for (const [name, match, answer, code] of refusals) {
    s.graph.on(match, answer)
    const error = await connect(s).then(
      () => undefined,
      (thrown: unknown) => thrown as { code: string; status: number },
    )
    t.same([error?.code, error?.status], [code, 502], name)
  }
  t.same(await s.rows(), [])
  t.same(s.published, [])
  t.notMatch(JSON.stringify(s.log.lines()), token)
})

t.test('a number of another organization is refused, and only with its token', async t => {
  const s = await stage(t)
  await connect(s)
  const other = await aMember({ databases: s.databases })
  t.equal(await codeOf(connect(s, {}, other.member)), 'NUMBERS_TAKEN')
  s.graph.on(/GET/, graphError(190, 401))
  t.equal(await codeOf(connect(s, {}, other.member)), 'NUMBERS_TOKEN_REFUSED', 'a stranger cannot find out')
  t.equal((await s.rows()).length, 1)
})

t.test('a Graph API that never answers ends with 502, and nothing is stored', async t => {
  const s = await stage(t)
  s.graph.on(/./, 'hang', 100)
  const impatient = s.numbersWith({ timeoutMs: 300 })
  await t.rejects(connect({ ...s, numbers: impatient }), { code: 'NUMBERS_UNREACHABLE', status: 502 })
  t.same(await s.rows(), [])
})

t.test('connecting again replaces the secrets, keeps address and verify token, and takes effect at once', async t => {
  const s = await stage(t)
  const first = await connect(s)
  t.equal((await s.numbers.findByConnectionId(first.id))?.appSecret, body.appSecret)
  const stateOf = await s.queueFrom()
  const second = await connect(s, { appSecret: 'the-app-secret-2' })
  t.equal(second.id, first.id)
  t.equal(second.verifyToken, first.verifyToken)
  t.equal((await s.numbers.findByConnectionId(first.id))?.appSecret, 'the-app-secret-2')
  t.equal((await connect(s, { verifyToken: 'my-own-token' })).verifyToken, 'my-own-token')
  t.equal(await stateOf(), 'queued', 'queued messages of the same number are kept')
  const other = await connect(s, { phoneNumberId: '106540352242923' })
  t.not(other.id, first.id, 'another number is added beside it')
  t.equal(await stateOf(), 'queued', 'and queued messages of the first number are kept')
})

t.test(
  'a new token for a number that must be connected again keeps its address and resumes queued messages',
  async t => {
    const s = await stage(t)
    const first = await connect(s)
    const stateOf = await s.queueFrom()
    await s.numbers.markReauthorise(s.org.id, (await s.numbers.findClient(s.org.id))?.connection.id ?? '', '190')
    const again = await connect(s, { accessToken: 'EAAG-another-token' })
    t.match(again, {
      id: first.id,
      webhookPath: first.webhookPath,
      verifyToken: first.verifyToken,
      createdAt: first.createdAt,
    })
    t.match(again, { status: 'connected', statusReason: null })
    t.equal(await stateOf(), 'queued', 'no queued message is failed')
    t.equal((await s.numbers.findByConnectionId(first.id))?.accessToken, 'EAAG-another-token')
    t.equal((await s.numbers.findClient(s.org.id))?.connection.status, 'connected')
  },
)

t.test('secrets are bound to their row', async t => {
  const s = await stage(t)
  const connection = await connect(s)
  await s.numbers.findByConnectionId(connection.id)
  await s.databases.write
    .updateTable('wa_connection')
    .set({ id: 'moved', updated_at: '2027-01-01T00:00:00.000Z' })
    .execute()
  t.equal(await s.numbers.findByConnectionId('moved'), undefined, 'they cannot be decrypted in another row')
  t.match(await s.numbers.getWaba(s.member, {}), { status: 'reauthorise' }, 'and the number has to be connected again')
  s.clock.advance(6000)
  t.equal(await s.numbers.findByConnectionId(connection.id), undefined)
})

t.test('the simulator is connected once, with its webhook address, and replaced by a real number', async t => {
  const s = await stage(t)
  const first = await s.numbers.connectSandbox(s.member, {})
  t.match(first, { kind: 'sandbox', status: 'connected' })
  const before = await s.rows()
  t.same(await s.numbers.connectSandbox(s.member, {}), first)
  t.same(await s.rows(), before, 'connecting twice changes nothing')
  t.match(await s.databases.read.selectFrom('sandbox_number').select(['org_id', 'connection_id']).execute(), [
    { org_id: s.org.id, connection_id: first.id },
  ])
  const stateOf = await s.queueFrom(before[0]?.phone_number_id)
  const cloud = await connect(s)
  t.same([cloud.kind, cloud.id !== first.id], ['cloud', true])
  t.not(cloud.verifyToken, first.verifyToken)
  t.equal(await stateOf(), 'failed', 'messages to a simulated customer are never sent to a real one')
  t.equal(await codeOf(s.numbers.connectSandbox(s.member, {})), 'NUMBERS_CLOUD_CONNECTED')
  const off = await stage(t, { sandbox: false })
  t.equal(await codeOf(off.numbers.connectSandbox(off.member, {})), 'NUMBERS_SANDBOX_OFF')
})

t.test('connecting the simulator again repairs a lost token', async t => {
  const s = await stage(t)
  await s.numbers.connectSandbox(s.member, {})
  await s.numbers.markReauthorise(s.org.id, (await s.numbers.findClient(s.org.id))?.connection.id ?? '', '190')
  t.equal((await s.numbers.connectSandbox(s.member, {})).status, 'connected')
})

t.test('disconnecting deletes the secrets, fails queued messages and emits an event', async t => {
  const s = await stage(t)
  const connection = await connect(s)
  const stateOf = await s.queueFrom()
  t.same(await s.numbers.disconnect(s.member, { query: {} }), { success: true })
  t.equal(await stateOf(), 'failed')
  t.match(await s.rows(), [{ access_token_sealed: '', app_secret_sealed: '', verify_token_sealed: '' }])
  const connections = s.published.filter(({ type }) => type === 'connection')
  t.same(connections.at(-1)?.data, { status: null, phone: null })
  t.equal(await s.numbers.findByConnectionId(connection.id), undefined, 'immediately')
  t.equal(await s.numbers.findClient(s.org.id), undefined)
  t.equal(await codeOf(s.numbers.disconnect(s.member, { query: {} })), 'NUMBERS_NOT_CONNECTED')
  t.equal(await codeOf(s.numbers.getConnection(s.member, { query: {} })), 'NUMBERS_NOT_CONNECTED')
  t.match(await s.numbers.getWaba(s.member, {}), { phone: null, kind: null, status: null })
  const unused = await connect(s, { phoneNumberId: '106540352242923' })
  await s.numbers.disconnect(s.member, { query: {} })
  t.notOk(
    (await s.rows()).some(({ id }) => id === unused.id),
    'a number without conversations leaves nothing',
  )
})

t.test('a refused token marks the connection once and notifies members who manage connections', async t => {
  const s = await stage(t)
  await connect(s)
  await s.numbers.markReauthorise(s.org.id, (await s.numbers.findClient(s.org.id))?.connection.id ?? '', '190')
  await s.numbers.markReauthorise(s.org.id, (await s.numbers.findClient(s.org.id))?.connection.id ?? '', '190')
  t.match(s.notices, [{ userId: s.member.userId, title: 'Hay que volver a conectar WhatsApp' }])
  t.equal(s.notices.length, 1)
  t.match(await s.numbers.getConnection(s.member, { query: {} }), {
    status: 'reauthorise',
    statusReason: /^WhatsApp no aceptó el token/,
  })
  t.equal((await s.numbers.findClient(s.org.id))?.connection.status, 'reauthorise')
  t.equal((await connect(s)).status, 'connected')
  await s.numbers.markBlocked(s.org.id, (await s.numbers.findClient(s.org.id))?.connection.id ?? '', '368')
  t.match(await s.numbers.getWaba(s.member, {}), { status: 'blocked' })
  await s.numbers.markWorking(s.org.id, (await s.numbers.findClient(s.org.id))?.connection.id ?? '')
  t.match(await s.numbers.getConnection(s.member, { query: {} }), { status: 'connected', statusReason: null })
})

t.test(
  'an item belongs to the number it names, and an organization cannot write into another with its own keys',
  async t => {
    const s = await stage(t)
    const mine = await connect(s)
    const other = await aMember({ databases: s.databases })
    const theirs = await connect(s, { phoneNumberId: '106540352242923', appSecret: 'another-secret' }, other.member)
    const item = (phoneNumberId: string) => {
      const [first] = itemsOf(textWebhook({ phoneNumberId }), '2026-11-20T13:00:00.000Z')
      if (!first) throw new Error('no item')
      return first
    }
    t.equal((await s.numbers.routeOf(item('106540352242922'), mine.id))?.orgId, s.org.id)
    t.equal(
      (await s.numbers.routeOf(item('106540352242922'), null))?.orgId,
      s.org.id,
      "the shared app's webhooks reach every organization",
    )
    t.equal(await s.numbers.routeOf(item('106540352242923'), mine.id), undefined)
    t.equal(await s.numbers.routeOf(item('999'), mine.id), undefined)
    await connect(s, { phoneNumberId: '106540352242923' }, other.member)
    t.equal(
      (await s.numbers.routeOf(item('106540352242923'), mine.id))?.orgId,
      other.org.id,
      'webhooks of one app reach all its numbers',
    )
    t.equal(theirs.phone, '15550783881')
  },
)

t.test('a failed change leaves neither a row nor cached secrets', async t => {
  const s = await stage(t)
  const first = await connect(s)
  await t.rejects(
    inTransaction(s.databases, async () => {
      throw new Error('for the sake of it')
    }),
  )
  const broken = s.numbersWith({
    writes: {
      run: (orgId, by, work) =>
        s.parts.writes.run(orgId, by, async write => {
          await work(write)
          throw new Error('no events')
        }),
    },
  })
  await t.rejects(async () => broken.connect(s.member, { body: { ...body, appSecret: 'never-committed' } }))
  t.equal((await broken.findByConnectionId(first.id))?.appSecret, body.appSecret)
})
