/**
 * What an organization sees must not depend on its neighbours. The same history runs twice: once next to a neighbour
 * who writes to the same customers under the same ids and tries to reach the organization's data, and once alone. Both
 * must end with the same responses and events, including the numbers of the events.
 */
import fc from 'fast-check'
import t from 'tap'
import type { Method } from '#shared/kernel/contract.ts'
import { type AMember, aMember } from '#test/helpers/actors.ts'
import { startBackend, type TestBackend } from '#test/helpers/backend.ts'
import { connectionKeys } from '#test/helpers/connection-keys.ts'
import { alwaysClosed } from '#test/helpers/promising.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { envelope, metaJson, signatureOf } from '#test/helpers/webhooks.ts'

t.setTimeout(fileTimeoutMs)

const customers = ['5491155550101', '5491155550102', '5215512345678'] as const
const words = ['hola', 'el pedido 55550101', '¿precio?', 'HOLA']
/** Ids of messages that both organizations receive. */
const wamids = ['wamid.m0', 'wamid.m1', 'wamid.m2', 'wamid.m3', 'wamid.m4', 'wamid.m5']

type Kind =
  | 'text'
  | 'reaction'
  | 'edit'
  | 'revoke'
  | 'status'
  | 'send'
  | 'read'
  | 'unread'
  | 'archive'
  | 'typing'
  | 'look'
  | 'wait'
  | 'intrude'
  | 'reach'
  | 'fail'
  | 'age'
  | 'reconnect'
  | 'forget'
/** What an organization does with its own data. A malicious neighbour does `maliciousKinds` as well. */
const ownKinds: readonly Kind[] = [
  'text',
  'text',
  'text',
  'send',
  'send',
  'reaction',
  'edit',
  'revoke',
  'status',
  'read',
  'unread',
  'archive',
  'typing',
  'look',
  'wait',
]
const maliciousKinds: readonly Kind[] = ['intrude', 'reach', 'fail', 'age', 'reconnect', 'forget']

interface Op {
  readonly by: 'a' | 'b'
  readonly kind: Kind
  readonly customer: string
  readonly wamid: string
  readonly word: string
  readonly status: string
}

const opOf = (by: Op['by'], kinds: readonly Kind[]): fc.Arbitrary<Op> =>
  fc.record({
    by: fc.constant(by),
    kind: fc.constantFrom(...kinds),
    customer: fc.constantFrom(...customers),
    wamid: fc.constantFrom(...wamids),
    word: fc.constantFrom(...words),
    status: fc.constantFrom('sent', 'delivered', 'read', 'failed'),
  })

/** An organization with its simulated number, in one of the backends. */
class Org {
  readonly backend: TestBackend
  readonly who: AMember
  readonly seen: unknown[] = []
  constructor(backend: TestBackend, who: AMember) {
    this.backend = backend
    this.who = who
  }

  static async open(backend: TestBackend, name: string): Promise<Org> {
    const org = new Org(
      backend,
      await aMember({ databases: backend.databases, orgName: name, name: `Dueña de ${name}` }),
    )
    await org.ask('POST', '/whatsapp/connection/sandbox')
    // Otherwise messages of neighbours would be processed in the same transactions.
    const set = await org.ask('PUT', '/organization/business-hours', alwaysClosed)
    if (set.status !== 200) throw new Error(JSON.stringify(set.body))
    return org
  }

  async ask(method: Method, path: string, body?: object, headers: Record<string, string> = {}) {
    const reply = await this.backend.inject({
      method,
      url: `/api${path}`,
      headers: { cookie: this.who.cookie, ...headers },
      ...(body ? { payload: body } : {}),
    })
    return { status: reply.statusCode, body: reply.json() }
  }

  connection = () => connectionKeys(this.backend.parts, this.who.org.id)

  /** Sends Meta's webhook for this organization's number, or for the number of `to`, signed with this one's keys. */
  async hear(value: object, to?: Org) {
    const mine = await this.connection()
    const addressed = to ? await to.connection() : mine
    if (!mine || !addressed) return
    const raw = metaJson(
      envelope(
        {
          messaging_product: 'whatsapp',
          metadata: { display_phone_number: addressed.phone, phone_number_id: addressed.phoneNumberId },
          ...value,
        },
        addressed.wabaId,
      ),
    )
    await this.backend.inject({
      method: 'POST',
      url: `/webhooks/whatsapp/${mine.id}`,
      headers: { 'content-type': 'application/json', 'x-hub-signature-256': signatureOf(raw, mine.appSecret) },
      payload: raw,
    })
  }

  message(op: Op, part: object) {
    const timestamp = String(Math.floor(this.backend.clock.now().getTime() / 1000))
    return {
      contacts: [{ profile: { name: 'Lucía' }, wa_id: op.customer }],
      messages: [{ from: op.customer, id: op.wamid, timestamp, ...part }],
    }
  }

  /** `other`: the organization that a malicious neighbour attacks. */
  async act(op: Op, other?: Org): Promise<unknown> {
    const { customer, wamid, word, status } = op
    const timestamp = String(Math.floor(this.backend.clock.now().getTime() / 1000))
    const fresh = { ...op, wamid: `${wamid}${op.kind}` }
    const text = { type: 'text', text: { body: word } }
    const key = `key-${word.length}-${customer}`
    switch (op.kind) {
      case 'text':
        return this.hear(this.message(op, text))
      case 'reaction':
        return this.hear(this.message(fresh, { type: 'reaction', reaction: { message_id: wamid, emoji: '👍' } }))
      case 'edit':
        return this.hear(this.message(fresh, { type: 'edit', edit: { original_message_id: wamid, message: text } }))
      case 'revoke':
        return this.hear(this.message(fresh, { type: 'revoke', revoke: { original_message_id: wamid } }))
      case 'status':
        return this.hear({ statuses: [{ id: wamid, status, timestamp, recipient_id: customer }] })
      case 'send':
        return this.ask(
          'POST',
          '/whatsapp/messages',
          { message: word, numberTel: customer },
          { 'idempotency-key': key },
        )
      case 'read':
      case 'unread':
      case 'typing':
        return this.ask('POST', `/whatsapp/chats/${customer}/${op.kind}`)
      case 'archive':
        return this.ask('POST', '/whatsapp/chat/archive', { phoneNumber: customer })
      case 'look':
        return this.ask('GET', `/whatsapp/conversations?search=${encodeURIComponent(word)}`)
      case 'wait':
        return undefined
      case 'intrude':
        await this.hear(this.message({ ...op, wamid: `${wamid}x` }, text), other)
        return this.hear({ statuses: [{ id: wamid, status: 'failed', timestamp, recipient_id: customer }] }, other)
      case 'reach':
        return this.reach(op, other as Org)
      case 'fail':
        return this.ask('POST', '/sandbox/fail', { code: '131026', count: 3 })
      case 'age':
        return this.ask('POST', '/sandbox/clock', { advanceMs: 25 * 3_600_000 })
      case 'reconnect':
        await this.ask('DELETE', '/whatsapp/connection')
        return this.ask('POST', '/whatsapp/connection/sandbox')
      case 'forget':
        return this.ask('DELETE', '/sandbox')
    }
  }

  /** Names the other organization's data in every possible way. */
  async reach({ customer, word }: Op, other: Org) {
    const theirs = await this.backend.databases.read
      .selectFrom('message')
      .select(['id', 'wamid'])
      .where('org_id', '=', other.who.org.id)
      .orderBy('seq', 'desc')
      .limit(2)
      .execute()
    for (const { id, wamid } of theirs) {
      await this.ask('POST', `/whatsapp/messages/${id}/retry`)
      await this.ask('GET', `/whatsapp/chats/${customer}?before=${id}`)
      for (const replyToMessageId of [id, wamid])
        await this.ask('POST', '/whatsapp/messages', { message: word, numberTel: customer, replyToMessageId })
    }
    const there = { 'x-organization': other.who.org.slug }
    await this.ask('POST', '/whatsapp/messages', { message: word, numberTel: customer }, there)
    await this.ask('POST', '/whatsapp/chat/archive', { phoneNumber: customer }, there)
    await this.ask('DELETE', '/whatsapp/connection', undefined, there)
  }

  /** The stream of events from the beginning, as a browser that was away would get it. */
  async stream(): Promise<string> {
    const chunks: string[] = []
    const sink = {
      pending: 0,
      write: (chunk: { body: Buffer | string }) => void chunks.push(String(chunk.body)),
      drained: async () => {},
      end: () => {},
      destroy: () => {},
    }
    const { userId, sessionId } = this.who.person
    const { role } = this.who.member
    const watcher = { orgId: this.who.org.id, userId, sessionId, role }
    const { close } = this.backend.parts.live.subscribe(watcher, sink as never, 0)
    const { id } = (await this.ask('GET', '/whatsapp/events/place')).body as { id: number }
    for (let turn = 0; turn < 5000 && id > 0 && !chunks.join('').includes(`id: ${id}\n`); turn += 1)
      await new Promise(resolve => setTimeout(resolve, turn < 200 ? 0 : 1))
    close()
    return chunks.join('')
  }

  /** Everything this organization can see. */
  async view(): Promise<unknown> {
    const paths = [
      '/viewer',
      '/verify/waba',
      '/notify',
      '/whatsapp/connection',
      '/whatsapp/conversations',
      '/whatsapp/conversations?archived=true',
      ...words.map(word => `/whatsapp/conversations?search=${encodeURIComponent(word)}`),
      '/whatsapp/conversations?search=5555',
      ...customers.flatMap(customer => [`/whatsapp/chats/${customer}`, `/whatsapp/conversations/${customer}`]),
      '/whatsapp/events',
      '/whatsapp/events?page=2',
      '/whatsapp/events?type=status',
      '/whatsapp/events/place',
      '/sandbox',
      '/sandbox/customers',
      '/sandbox/outbox',
    ]
    const answers: Record<string, unknown> = {}
    for (const path of paths) answers[path] = await this.ask('GET', path)
    return { answers, stream: await this.stream(), seen: this.seen }
  }

  /** The view as text. Random values are replaced by the order in which they appear. */
  async plainView(): Promise<string> {
    const { phone = '', phoneNumberId = '', wabaId = '' } = (await this.connection()) ?? {}
    const drawn = new Map<string, string>()
    const name = (found: string) => {
      if (!drawn.has(found)) drawn.set(found, `‹${drawn.size}›`)
      return drawn.get(found) as string
    }
    return JSON.stringify(await this.view(), null, 1)
      .replaceAll(phone, '‹own number›')
      .replaceAll(phoneNumberId, '‹own id›')
      .replaceAll(wabaId, '‹own account›')
      .replace(/\\?"(displayPhone|verifyToken|requestId)\\?":\s*\\?"[^"\\]*\\?"/g, '‹$1›')
      .replace(/\b[0-9a-z-]+@example\.com\b|-[0-9a-z]{8}(?=")/g, '‹address›')
      .replace(/wamid\.H[\w+/=]+|\bAR\.\d+\b|\bMX\.\d+\b|\b[0-9a-z]{24}\b/g, name)
  }
}

const beside = await startBackend(t)
const alone = await startBackend(t, { clock: beside.clock })
let lived = 0

const live = async (ops: readonly Op[]) => {
  // The neighbour's rows come first, so that a query without an organization would return them.
  const b = await Org.open(beside, 'Vecina')
  const a = await Org.open(beside, 'Panadería')
  const twin = await Org.open(alone, 'Panadería')
  const settled = () => Promise.all([beside.settle(), alone.settle()])
  // Reads the new number's data once, because its event could otherwise come before or after others of the same
  // instant.
  beside.clock.advance(5000)
  await settled()
  for (const op of ops) {
    beside.clock.advance(op.kind === 'wait' ? 20_000 : 1000)
    // Otherwise webhooks that the simulator sends now would race with the next step.
    await settled()
    if (op.by === 'b') await b.act(op, a)
    else {
      const done = await Promise.all([a, twin].map(async org => [org, await org.act(op)] as const))
      for (const [org, answer] of done) org.seen.push(answer)
    }
    await settled()
    lived += 1
  }
  return { a, b, twin }
}

t.test('what an organization sees does not depend on its neighbours', async t => {
  const history = fc.array(
    fc.oneof(
      { weight: 3, arbitrary: opOf('a', ownKinds) },
      { weight: 2, arbitrary: opOf('b', ownKinds) },
      { weight: 1, arbitrary: opOf('b', maliciousKinds) },
    ),
    { minLength: 45, maxLength: 60, size: 'max' },
  )
  await fc.assert(
    fc.asyncProperty(history, async ops => {
      const { a, twin } = await live(ops)
      const [real, expected] = [await a.plainView(), await twin.plainView()]
      if (real === expected) return
      const [lines, others] = [real.split('\n'), expected.split('\n')]
      const at = lines.findIndex((line, i) => line !== others[i])
      throw new Error(
        `differs:\n${lines.slice(at - 12, at + 3).join('\n')}\nalone:\n${others.slice(at - 2, at + 3).join('\n')}`,
      )
    }),
    { numRuns: 5, endOnFailure: true },
  )
  t.ok(lived >= 200, `${lived} steps were played`)
  t.same([...beside.errors(), ...alone.errors()], [])
})

t.test('the comparison notices a single message of the neighbour', async t => {
  const text: Op = { by: 'a', kind: 'text', customer: customers[0], wamid: 'wamid.m0', word: 'hola', status: 'sent' }
  const { a, b, twin } = await live([text, { ...text, by: 'b', word: 'HOLA' }])
  t.equal(await a.plainView(), await twin.plainView())
  t.not(await b.plainView(), await twin.plainView())
  await a.act({ ...text, kind: 'read' })
  t.not(await a.plainView(), await twin.plainView())
})
