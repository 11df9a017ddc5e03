import t, { type Test } from 'tap'
import { createPush, maxSubscriptions, outcomeOf, pushDelayMs, pushTtlMs } from '#server/features/push/push.ts'
import { createScopes } from '#server/identity/visibility/scopes.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { createVault } from '#server/platform/crypto/secrets.ts'
import type { DomainEvent } from '#server/platform/events/domain.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import { createOutbound } from '#server/platform/outbound/outbound.ts'
import { createServerI18n } from '#server/platform/text/i18n.ts'
import { type AMember, aMember, aPerson } from '#test/helpers/actors.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { keptLog } from '#test/helpers/log.ts'
import { aBrowser, openVapid } from '#test/helpers/push-browser.ts'
import { keptWrites } from '#test/helpers/writes.ts'
import { aMachine } from '#test/server/platform/jobs/stage.ts'

const i18n = createServerI18n()
const notified = (id: string, userId: string): DomainEvent => ({
  type: 'notification.raised',
  data: {
    id,
    userId,
    words: { key: 'replied', params: { name: 'L' } },
    redirect: null,
    conversationId: null,
    push: true,
  },
})

interface Received {
  readonly url: string
  readonly headers: Headers
  readonly body: Buffer
}

const aStage = async (t: Test) => {
  const databases = await freshDatabases()
  t.teardown(() => databases.close())
  const clock = handClock()
  const log = keptLog()
  const received: Received[] = []
  let answer: (url: string) => Response | Promise<Response> = () => new Response(null, { status: 201 })
  const machine = aMachine()
  const writes = keptWrites({ databases, clock, log })
  const make = (secret = 'one secret') => {
    const host = machine.host()
    const jobs = createJobs({ databases, writes, clock, log, ids: newId, host })
    t.teardown(() => jobs.stop())
    const push = createPush({
      scopes: createScopes({ databases }),
      jobs,
      databases,
      clock,
      log,
      ids: newId,
      vault: createVault(secret),
      subject: 'https://recado.example.com',
      translate: (language, key, params) => i18n.translator(language)(key, params),
      outbound: createOutbound({
        fetch: (async (url: string, init: RequestInit) => {
          received.push({ url, headers: new Headers(init.headers), body: Buffer.from(init.body as Uint8Array) })
          const leaving = new Promise<never>((_, reject) => {
            init.signal?.addEventListener('abort', () => reject(new Error('aborted')))
          })
          return Promise.race([answer(url), leaving])
        }) as typeof fetch,
      }),
    })
    return { ...push, jobs, host }
  }
  const push = make()
  push.jobs.start()
  writes.listeners.inTransaction(push.listener)
  const ana = await aMember({ databases })
  let born = 0
  const tell = async ({ user, org }: Pick<AMember, 'user' | 'org'> = ana, title = 'Nuevo mensaje de WhatsApp') => {
    const id = newId()
    await writes.tell(org.id, async write => {
      await write.db
        .insertInto('notification')
        .values({
          id,
          place: id,
          org_id: org.id,
          user_id: user.id,
          old_title: title,
          old_message: `Secreto de un cliente ${++born}`,
          words: null,
          redirect: '/5491155554444',
          created_at: clock.now().toISOString(),
          viewed_at: null,
        })
        .execute()
      write.emit(notified(id, user.id))
    })
    return id
  }
  const waiting = async () =>
    (await databases.read.selectFrom('job').selectAll().orderBy('seq').execute()).map(row => ({
      ...row,
      dueInMs: Date.parse(row.due_at) - clock.now().getTime(),
    }))
  const browsers = async () =>
    (await databases.read.selectFrom('push_subscription').select('endpoint').execute()).map(row => row.endpoint)
  const later = async (ms = pushDelayMs) => {
    clock.advance(ms)
    await push.jobs.idle()
  }
  return {
    writes,
    databases,
    clock,
    log,
    received,
    push,
    make,
    machine,
    ana,
    tell,
    waiting,
    browsers,
    later,
    reply: (next: typeof answer) => {
      answer = next
    },
  }
}

t.test('a closed browser gets the name of the notification, encrypted for it and signed by us', async t => {
  const { push, ana, tell, later, received, waiting, log } = await aStage(t)
  const { subscription, open } = aBrowser()
  t.same(await push.service.subscribe(ana.person, { body: subscription }), { subscribed: true })
  const id = await tell()
  await later()
  t.equal(received.length, 1)
  const [{ url, headers, body } = {} as Received] = received
  t.equal(url, subscription.endpoint)
  t.same(open(body), { id: `notify-${id}`, org: ana.org.slug, title: 'Nuevo mensaje de WhatsApp' })
  t.notMatch(body.toString('latin1'), 'Secreto')
  t.equal(headers.get('content-encoding'), 'aes128gcm')
  t.equal(headers.get('urgency'), 'high')
  t.ok(Number(headers.get('ttl')) > 0)
  const vapid = openVapid(headers.get('authorization') ?? '')
  t.equal(vapid.key, (await push.service.getKey(ana.person, {})).key)
  t.match(vapid.claims, { aud: 'https://push.example.com', sub: 'https://recado.example.com' })
  t.same(await waiting(), [])
  t.same([...log.lines('warn'), ...log.lines('error')], [])
})

t.test('nothing is sent early, after reading, or to members who left or signed out', async t => {
  const { databases, push, ana, tell, later, received, waiting } = await aStage(t)
  await push.service.subscribe(ana.person, { body: aBrowser().subscription })
  await tell()
  await later(pushDelayMs - 1)
  t.equal(received.length, 0)
  await databases.write.updateTable('notification').set({ viewed_at: 'now' }).execute()
  await later()
  t.equal(received.length, 0)
  t.same(await waiting(), [])

  await tell()
  await aMember({ databases, org: ana.org, role: 'owner' })
  await databases.write.deleteFrom('member').where('userId', '=', ana.user.id).execute()
  await later()
  t.equal(received.length, 0)
  t.same(await waiting(), [])

  const beto = await aMember({ databases })
  await push.service.subscribe(beto.person, { body: aBrowser().subscription })
  await tell(beto)
  await databases.write
    .updateTable('session')
    .set({ expiresAt: '2026-11-20T13:00:00.000Z' })
    .where('id', '=', beto.person.sessionId)
    .execute()
  await later()
  t.equal(received.length, 0)
  await tell(beto)
  await databases.write.deleteFrom('session').where('id', '=', beto.person.sessionId).execute()
  await later()
  t.same(await waiting(), [], 'a sign-out takes what waits with it')
  t.equal(received.length, 0)
})

t.test('a notification updated before sending is sent once', async t => {
  const { writes, push, ana, tell, later, received, waiting } = await aStage(t)
  await push.service.subscribe(ana.person, { body: aBrowser().subscription })
  const id = await tell()
  const again = () => writes.tell(ana.org.id, async write => write.emit(notified(id, ana.user.id)))
  await again()
  t.equal((await waiting()).length, 1)
  await later()
  t.equal(received.length, 1)
  await again()
  await later()
  t.equal(received.length, 2, 'what comes later is said later')
})

t.test('a member without a browser causes no row', async t => {
  const { tell, waiting, push, ana } = await aStage(t)
  await tell()
  t.same(await waiting(), [])
  const { subscription } = aBrowser()
  await push.service.subscribe(ana.person, { body: subscription })
  t.same(await push.service.unsubscribe(ana.person, { body: { endpoint: subscription.endpoint } }), {
    subscribed: false,
  })
  await tell()
  t.same(await waiting(), [])
})

for (const status of [404, 410, 403])
  t.test(`a browser whose service answers ${status} is deleted`, async t => {
    const { push, ana, tell, later, waiting, browsers, reply } = await aStage(t)
    await push.service.subscribe(ana.person, { body: aBrowser().subscription })
    reply(() => new Response(null, { status }))
    await tell()
    await tell()
    await later()
    t.same(await browsers(), [])
    t.same(await waiting(), [])
  })

t.test(
  'a busy or unreachable service is retried later, after its Retry-After, while the notification is recent',
  async t => {
    const { push, ana, tell, later, waiting, reply, received, log } = await aStage(t)
    await push.service.subscribe(ana.person, { body: aBrowser().subscription })
    reply(() => new Response(null, { status: 429, headers: { 'retry-after': '90' } }))
    await tell()
    await later()
    t.match(await waiting(), [{ attempts: 1, dueInMs: 90_000 }])
    reply(() => Promise.reject(new Error('no route')))
    await later(90_000)
    t.match(await waiting(), [{ attempts: 2, dueInMs: 120_000 }])
    await later(60_000)
    t.equal(received.length, 2, 'not before')
    reply(() => new Response(null, { status: 503, headers: { 'retry-after': 'nonsense' } }))
    await later(60_000)
    t.match(await waiting(), [{ attempts: 3, dueInMs: 600_000 }])
    await later(pushTtlMs)
    t.equal(received.length, 3, 'after four hours it is history')
    t.same(await waiting(), [])
    t.same(log.lines('error'), [])
  },
)

t.test('messages in flight when a process died are sent by the next one', async t => {
  const { push, make, machine, ana, tell, waiting, reply, received, clock } = await aStage(t)
  await push.service.subscribe(ana.person, { body: aBrowser().subscription })
  let arrive = () => {}
  const arrived = new Promise<void>(resolve => {
    arrive = resolve
  })
  reply(() => {
    arrive()
    return new Promise(() => undefined)
  })
  await tell()
  clock.advance(pushDelayMs)
  void push.jobs.idle()
  await arrived
  t.match(await waiting(), [{ attempts: 1, state: 'running' }], 'the try was counted before the call')
  reply(() => new Response(null, { status: 201 }))
  machine.die(push.host)
  const next = make()
  next.jobs.start()
  await next.jobs.idle()
  clock.advance(1_000)
  await next.jobs.idle()
  t.equal(received.length, 2)
  t.same(await waiting(), [])
})

t.test('unresponsive browsers delay nobody else’s, and no other browser of the same person', async t => {
  const { databases, push, ana, tell, reply, received, clock } = await aStage(t)
  const beto = await aMember({ databases, org: ana.org })
  const hanging = aBrowser().subscription
  const phone = aBrowser().subscription
  const other = aBrowser().subscription
  await push.service.subscribe(ana.person, { body: hanging })
  await push.service.subscribe(ana.person, { body: phone })
  await push.service.subscribe(beto.person, { body: other })
  reply(url => (url === hanging.endpoint ? new Promise(() => undefined) : new Response(null, { status: 201 })))
  for (let i = 0; i < 40; i += 1) await tell()
  for (let i = 0; i < 3; i += 1) await tell(beto)
  clock.advance(pushDelayMs)
  push.jobs.wake()
  const to = (endpoint: string) => received.filter(one => one.url === endpoint).length
  while (to(phone.endpoint) < 40 || to(other.endpoint) < 3) await new Promise(resolve => setImmediate(resolve))
  t.equal(to(hanging.endpoint), 1, 'one call at a time to a browser')
})

t.test('a browser belongs to the person now signed in there, and each person has at most twenty', async t => {
  const { push, databases, ana, tell, later, received, waiting, browsers } = await aStage(t)
  const beto = await aPerson({ databases })
  const { subscription } = aBrowser()
  await push.service.subscribe(ana.person, { body: subscription })
  await tell()
  await push.service.subscribe(beto.person, { body: subscription })
  await later()
  t.same([received.length, await waiting()], [0, []], 'what waited for Ana is not shown to Beto')
  await tell()
  t.same(await waiting(), [])
  await push.service.unsubscribe(ana.person, { body: { endpoint: subscription.endpoint } })
  t.same(await browsers(), [subscription.endpoint], "Ana cannot take Beto's browser away")
  for (let i = 0; i < maxSubscriptions + 3; i += 1) {
    await push.service.subscribe(ana.person, { body: aBrowser().subscription })
    await new Promise(resolve => setTimeout(resolve, 2))
  }
  t.equal((await browsers()).length, maxSubscriptions + 1)
})

t.test('internal addresses, unusual ports and invalid keys are refused', async t => {
  const { push, ana, browsers } = await aStage(t)
  const { subscription } = aBrowser()
  const addresses = [
    'https://127.0.0.1/x',
    'https://[::1]/x',
    'https://2130706433/x',
    'https://0x7f.1/x',
    'https://localhost/x',
    'https://intranet/x',
    'https://printer.local/x',
    'https://db.internal/x',
    'https://user:pw@push.example.com/x',
    'https://push.example.com:8443/x',
    'http://push.example.com/x',
    'https:///x',
    `https://push.example.com/${'x'.repeat(1100)}`,
    'https://push.example.com.localhost./x',
  ]
  for (const endpoint of addresses)
    await t.rejects(
      async () => push.service.subscribe(ana.person, { body: { ...subscription, endpoint } }),
      { code: 'PUSH_ENDPOINT_REFUSED' },
      endpoint,
    )
  const p256dh = Buffer.alloc(65, 1).toString('base64url')
  await t.rejects(
    async () =>
      push.service.subscribe(ana.person, { body: { ...subscription, keys: { ...subscription.keys, p256dh } } }),
    { code: 'PUSH_KEYS_REFUSED' },
  )
  t.same(await browsers(), [])
})

t.test('a key that is not on the curve is found when sending, and the browser is deleted', async t => {
  const { push, ana, tell, later, received, browsers, waiting } = await aStage(t)
  const { subscription } = aBrowser()
  const p256dh = Buffer.concat([Buffer.from([4]), Buffer.alloc(64, 1)]).toString('base64url')
  await push.service.subscribe(ana.person, { body: { ...subscription, keys: { ...subscription.keys, p256dh } } })
  await tell()
  await later()
  t.equal(received.length, 0)
  t.same([await browsers(), await waiting()], [[], []])
})

t.test(
  'the keys are created once and stored encrypted; with another secret they are replaced and browsers deleted',
  async t => {
    const { push, make, ana, databases, browsers } = await aStage(t)
    const { key } = await push.service.getKey(ana.person, {})
    t.equal(Buffer.from(key, 'base64url').length, 65)
    t.equal((await make().service.getKey(ana.person, {})).key, key)
    const stored = await databases.read.selectFrom('push_key').selectAll().execute()
    t.equal(stored.length, 1)
    t.match(stored[0]?.private_key, /^v2\./)
    await push.service.subscribe(ana.person, { body: aBrowser().subscription })
    t.not((await make('another secret').service.getKey(ana.person, {})).key, key)
    t.same(await browsers(), [])
  },
)

t.test('each status of a push service means done, retried later or dropped', async t => {
  const now = Date.parse('2026-11-20T13:00:00.000Z')
  const kind = (status: number, attempts = 0) => outcomeOf(status, null, attempts, now).kind
  t.same(
    [200, 201, 202].map(status => kind(status)),
    ['done', 'done', 'done'],
  )
  t.same(
    [400, 413, 302].map(status => kind(status)),
    ['dropped', 'dropped', 'dropped'],
  )
  t.same(
    [0, 429, 500, 503].map(status => kind(status)),
    ['later', 'later', 'later', 'later'],
  )
  t.equal(kind(500, 4), 'dropped')
  t.same(outcomeOf(429, 'Fri, 20 Nov 2026 13:05:00 GMT', 0, now), { kind: 'later', afterMs: 300_000 })
  t.same(outcomeOf(429, '999999', 0, now), { kind: 'later', afterMs: 3_600_000 })
  t.same(outcomeOf(429, '-5', 0, now), { kind: 'later', afterMs: 30_000 })
})
