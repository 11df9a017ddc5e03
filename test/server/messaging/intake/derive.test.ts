import t from 'tap'
import { createScopes } from '#server/identity/visibility/scopes.ts'
import { createDerive, type DeriveParts } from '#server/messaging/intake/derive.ts'
import { countWebhooksPutAside, createJournal, oldestUnapplied } from '#server/messaging/intake/journal.ts'
import { countWaitingMessages, listWaiting, loadRaw } from '#server/messaging/intake/store.ts'
import { journalState } from '#server/messaging/intake/table.ts'
import { createTakers, nameOfItem, type WebhookTaker } from '#server/messaging/intake/takers.ts'
import { countUntaken } from '#server/messaging/intake/untaken-store.ts'
import { createWaitingRows } from '#server/messaging/intake/waiting-rows.ts'
import { createLive } from '#server/messaging/live/hub.ts'
import { createLiveListener } from '#server/messaging/live/listener.ts'
import type { StoredEvent } from '#server/messaging/live/recording.ts'
import type { WebhookItem } from '#server/whatsapp/webhooks/inbound.ts'
import { maxWebhookValues } from '#server/whatsapp/webhooks/webhook.ts'
import { handClock } from '#test/helpers/clock.ts'
import { freshDatabases } from '#test/helpers/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { alone } from '#test/helpers/lease.ts'
import { keptLog } from '#test/helpers/log.ts'
import { fileTimeoutMs } from '#test/helpers/timeout.ts'
import { envelope, metaJson, textWebhook } from '#test/helpers/webhooks.ts'
import { eventWords, keptWrites } from '#test/helpers/writes.ts'

t.setTimeout(fileTimeoutMs)

const wamidOf = (item: WebhookItem) => ('wamid' in item ? (item.wamid ?? '') : item.kind)

/** A fake inbox: records one line per item in the transaction, and throws for items it is told to refuse. */
type RouteOf = (item: WebhookItem, connectionId: string | null) => Promise<string | undefined>
const byNumber: RouteOf = async item => ({ '106540352242922': 'orgA', '2': 'orgB' })[item.phoneNumberId ?? '']

/** `route`: finds the organization of an item. */
const stage = async (options: { route?: RouteOf } = {}) => {
  const databases = await freshDatabases()
  for (const id of ['orgA', 'orgB'])
    await databases.write
      .insertInto('organization')
      .values({ id, name: id, slug: id, logo: null, createdAt: '', metadata: null })
      .execute()
  const clock = handClock()
  const log = keptLog()
  const live = createLive({ scopes: createScopes({ databases }), databases, clock, log })
  const journal = createJournal({ databases, clock })
  const published: StoredEvent[] = []
  const touched: string[] = []
  const refused = new Map<string, Error>()
  const transactions: string[][] = []
  let media = 0
  const taker: { -readonly [K in keyof WebhookTaker]: WebhookTaker[K] } = {
    feature: 'inbox',
    async apply(write, items) {
      transactions.push(items.map(wamidOf))
      for (const item of items) {
        const error = refused.get(wamidOf(item))
        if (error) throw error
        await write.db
          .insertInto('pending_effect')
          .values({ org_id: write.orgId, wamid: wamidOf(item), effect: '', received_at: '' })
          .execute()
        write.emit({ type: 'connection.changed', data: { status: null, phone: wamidOf(item), reason: null } })
        if (wamidOf(item) === 'wamid.media') write.afterCommit(onMedia)
      }
    },
  }
  const onMedia = () => {
    media += 1
  }
  const writes = keptWrites({ databases, clock, log })
  const liveLog = { record: live.record, publish: (events: readonly StoredEvent[]) => void published.push(...events) }
  writes.listeners.inTransaction(createLiveListener(liveLog, eventWords))
  const parts: DeriveParts = {
    lease: alone,
    journal,
    databases,
    clock,
    log,
    writes,
    takers: { of: () => taker },
    appliedWebhooks: { applied: async () => undefined },
    numbers: {
      routeOf: async (item, connectionId) => {
        const orgId = await (options.route ?? byNumber)(item, connectionId)
        return orgId === undefined ? undefined : { orgId, connectionId: connectionId ?? `of ${orgId}` }
      },
      touchWebhook: async (_trx, id) => {
        touched.push(id)
      },
    },
  }
  const rows = () => databases.read.selectFrom('webhook_journal').selectAll().orderBy('seq').execute()
  const applied = async () =>
    (await databases.read.selectFrom('pending_effect').selectAll().orderBy('seq').execute()).map(
      row => `${row.org_id}/${row.wamid}`,
    )
  return {
    databases,
    clock,
    log,
    journal,
    parts,
    taker,
    published,
    touched,
    refused,
    transactions,
    rows,
    applied,
    media: () => media,
    derive: createDerive(parts),
  }
}

t.test(
  'a process that lost the lease writes nothing and counts no failure; the next process applies the row',
  async t => {
    const s = await stage()
    await s.journal.append({ connectionId: 'con', raw: textWebhook({ wamid: 'wamid.1' }) })
    let turns = 1
    const gone = createDerive({ ...s.parts, lease: { take: async () => turns-- > 0, isHeld: async () => false } })
    await gone.drain()
    await gone.stop()
    t.same(await s.applied(), [])
    t.match(await s.rows(), [{ state: journalState.waiting, attempts: 0 }])
    await s.derive.drain()
    t.same(await s.applied(), ['orgA/wamid.1'])
  },
)

t.test('waiting webhooks are applied in order, marked in the same commit, and published once', async t => {
  const s = await stage()
  for (let i = 0; i < 5; i += 1)
    await s.journal.append({ connectionId: 'con', raw: textWebhook({ wamid: `wamid.${i}` }) })
  await s.derive.drain()
  t.same(
    await s.applied(),
    [0, 1, 2, 3, 4].map(i => `orgA/wamid.${i}`),
  )
  t.ok((await s.rows()).every(row => row.state === journalState.applied))
  t.same(
    s.published.map(event => event.seq),
    [1, 2, 3, 4, 5],
  )
  t.equal(s.transactions.length, 1, 'one slice, one transaction')
  await s.derive.drain()
  t.equal(s.published.length, 5)
  t.same(s.touched, ['con'], 'the connection is touched now and then, not for each')
})

t.test('each organization of one slice and of one webhook gets its own items', async t => {
  const s = await stage()
  const value = (phone: string, id: string) => ({
    field: 'messages',
    value: {
      messaging_product: 'whatsapp',
      metadata: { phone_number_id: phone },
      messages: [{ from: '5491155551234', id, timestamp: '1795179600', type: 'text', text: { body: 'x' } }],
    },
  })
  await s.journal.append({
    connectionId: null,
    raw: metaJson({
      object: 'whatsapp_business_account',
      entry: [{ id: '1', changes: [value('106540352242922', 'wamid.a'), value('2', 'wamid.b')] }],
    }),
  })
  await s.derive.drain()
  t.same((await s.applied()).sort(), ['orgA/wamid.a', 'orgB/wamid.b'])
  t.same(
    s.published.map(event => [event.orgId, event.seq]),
    [
      ['orgA', 1],
      ['orgB', 1],
    ],
  )
})

t.test('a webhook for an unknown number is kept and flagged; a mixed one is applied with a remark', async t => {
  const s = await stage()
  await s.journal.append({ connectionId: null, raw: textWebhook({ phoneNumberId: '999', wamid: 'wamid.x' }) })
  const mixed = envelope({ messaging_product: 'whatsapp', metadata: { phone_number_id: '999' }, messages: [] })
  mixed.entry[0]?.changes.push(
    ...[textWebhook({ wamid: 'wamid.ours' }), textWebhook({ phoneNumberId: '998' })].flatMap(
      raw => JSON.parse(raw.toString()).entry[0].changes,
    ),
  )
  await s.journal.append({ connectionId: null, raw: metaJson(mixed) })
  await s.derive.drain()
  const [first, second] = await s.rows()
  t.match(first, { state: journalState.unknownNumber, note: 'unknown number: 999' })
  t.equal(second?.state, journalState.applied)
  t.match(second?.note, /998/)
  t.same(await s.applied(), ['orgA/wamid.ours'])
  t.equal(s.log.lines('warn').length, 2)
  t.same(s.log.lines('error'), [])
})

t.test('a signed webhook that names no number is settled with that reason', async t => {
  const s = await stage({ route: async () => 'orgA' })
  for (const raw of ['{}', '[]', '{"object":"page","entry":[]}'])
    await s.journal.append({ connectionId: 'con', raw: Buffer.from(raw) })
  await s.derive.drain()
  t.match(await s.rows(), [
    { state: journalState.applied, note: 'names no WhatsApp number or account' },
    { state: journalState.applied, note: 'names no WhatsApp number or account' },
    { state: journalState.applied, note: 'names no WhatsApp number or account (page)' },
  ])
  t.same(await s.applied(), [], 'nothing is derived of it')
  t.equal(s.log.lines('warn').length, 3)
})

t.test('an unreadable body is parked with its reason and delays nothing', async t => {
  const s = await stage()
  await s.journal.append({ connectionId: 'con', raw: Buffer.from('{"object":') })
  await s.journal.append({ connectionId: 'con', raw: textWebhook() })
  await s.derive.drain()
  const [first, second] = await s.rows()
  t.match(first, { state: journalState.parked, note: /UnreadableWebhook/ })
  t.equal(second?.state, journalState.applied)
})

t.test('a row that keeps failing is retried alone and finally parked; its neighbours are applied once', async t => {
  const s = await stage()
  s.refused.set('wamid.2', new TypeError('poison'))
  for (let i = 0; i < 5; i += 1)
    await s.journal.append({ connectionId: 'con', raw: textWebhook({ wamid: `wamid.${i}` }) })
  await s.derive.drain()
  t.same(await s.applied(), ['orgA/wamid.0', 'orgA/wamid.1', 'orgA/wamid.3', 'orgA/wamid.4'])
  t.match((await s.rows())[2], { state: journalState.waiting, attempts: 1, note: 'TypeError: poison' })
  await s.derive.drain()
  t.equal((await s.rows())[2]?.attempts, 1, 'held back for a while')
  await s.journal.append({ connectionId: 'con', raw: textWebhook({ wamid: 'wamid.5' }) })
  await s.derive.drain()
  t.same((await s.applied()).at(-1), 'orgA/wamid.5', 'a row held back does not take the next ones along')
  t.match((await s.rows())[2], { state: journalState.waiting, attempts: 1 })
  for (let i = 0; i < 4; i += 1) {
    s.clock.advance(10_000)
    await s.derive.drain()
  }
  t.match((await s.rows())[2], { state: journalState.parked, note: 'TypeError: poison' })
  t.equal((await s.applied()).length, 5)
  t.equal(s.published.length, 5)
  await s.derive.stop()
})

t.test('a row whose number cannot be looked up waits, and its neighbours are applied', async t => {
  let isBroken = true
  const s = await stage({
    route: async item => {
      if (isBroken && item.kind === 'message' && item.wamid === 'wamid.1') throw new Error('for now')
      return 'orgA'
    },
  })
  for (let i = 0; i < 3; i += 1)
    await s.journal.append({ connectionId: 'con', raw: textWebhook({ wamid: `wamid.${i}` }) })
  await s.derive.drain()
  t.same(
    (await s.rows()).map(row => row.state),
    [journalState.applied, journalState.waiting, journalState.applied],
  )
  isBroken = false
  s.clock.advance(10_000)
  await s.derive.drain()
  t.same(await s.applied(), ['orgA/wamid.0', 'orgA/wamid.2', 'orgA/wamid.1'])
  await s.derive.stop()
})

t.test('a row that failed temporarily is applied later', async t => {
  const s = await stage()
  s.refused.set('wamid.A', new Error('for now'))
  await s.journal.append({ connectionId: 'con', raw: textWebhook() })
  await s.derive.drain()
  t.same(await s.applied(), [])
  s.refused.clear()
  s.clock.advance(10_000)
  await s.derive.drain()
  t.same(await s.applied(), ['orgA/wamid.A'])
  await s.derive.stop()
})

t.test('a database error counts as no failure of the row', async t => {
  const s = await stage()
  s.refused.set('wamid.A', Object.assign(new Error('disk is full'), { code: 'SQLITE_FULL' }))
  await s.journal.append({ connectionId: 'con', raw: textWebhook() })
  await s.derive.drain()
  t.match((await s.rows())[0], { state: journalState.waiting, attempts: 0 })
  s.refused.clear()
  await s.derive.drain()
  t.same(await s.applied(), ['orgA/wamid.A'])
  await s.derive.stop()
})

t.test('a webhook of a thousand updates takes several transactions and is marked in the last', async t => {
  const s = await stage()
  const messages = Array.from({ length: 1000 }, (_, i) => ({
    from: '5491155551234',
    id: `wamid.${i}`,
    timestamp: '1795179600',
    type: 'text',
    text: { body: 'x' },
  }))
  await s.journal.append({
    connectionId: 'con',
    raw: metaJson(
      envelope({ messaging_product: 'whatsapp', metadata: { phone_number_id: '106540352242922' }, messages }),
    ),
  })
  await s.derive.drain()
  t.equal((await s.applied()).length, 1000)
  t.ok(s.transactions.length > 5 && s.transactions.every(items => items.length <= 128))
  t.equal((await s.rows())[0]?.state, journalState.applied)
})

t.test('a webhook of many thousand changes is applied in small steps, and its number is looked up once', async t => {
  let asked = 0
  const route = async () => {
    asked += 1
    return 'orgA'
  }
  const s = await stage({ route })
  let turn = 0
  const turns: number[] = []
  const { apply } = s.taker
  s.taker.apply = async (...call) => {
    turns.push(turn)
    return apply(...call)
  }
  const ticking = () => {
    turn += 1
    ticker = setImmediate(ticking)
  }
  let ticker = setImmediate(ticking)
  t.teardown(() => clearImmediate(ticker))
  const changes = Array(20_000).fill('{"field":"z","value":{}}').join(',')
  const raw = Buffer.from(`{"object":"whatsapp_business_account","entry":[{"id":"1","changes":[${changes}]}]}`)
  await s.journal.append({ connectionId: 'con', raw })
  await createDerive(s.parts).drain()
  t.equal((await s.rows())[0]?.state, journalState.applied)
  t.equal(s.transactions.flat().length, 20_000)
  t.ok(s.transactions.every(items => items.length <= 128))
  t.equal(new Set(turns).size, turns.length, 'no two slices in one turn of the event loop')
  t.equal(asked, 1)
})

t.test('many small webhooks full of changes take as many steps as one large webhook', async t => {
  const s = await stage({ route: async () => 'orgA' })
  let turn = 0
  const items = new Map<number, number>()
  const { apply } = s.taker
  s.taker.apply = async (write, list) => {
    items.set(turn, (items.get(turn) ?? 0) + list.length)
    return apply(write, list)
  }
  const ticking = () => {
    turn += 1
    ticker = setImmediate(ticking)
  }
  let ticker = setImmediate(ticking)
  t.teardown(() => clearImmediate(ticker))
  const changes = Array(100).fill('{"field":"z","value":{}}').join(',')
  for (let i = 0; i < 60; i += 1)
    await s.journal.append({ connectionId: 'con', raw: Buffer.from(`{"entry":[{"id":"1","changes":[${changes}]}]}`) })
  await createDerive(s.parts).drain()
  t.equal(s.transactions.flat().length, 6000)
  t.ok(Math.max(...items.values()) <= 128, `at most ${Math.max(...items.values())} in one turn`)
})

t.test('updates with many parts share a step with few others', async t => {
  const s = await stage({ route: async () => 'orgA' })
  const { parse } = JSON
  const parsed: number[] = [0]
  JSON.parse = (text, reviver) => {
    parsed[parsed.length - 1] = (parsed.at(-1) as number) + text.split(',').length
    return parse(text, reviver)
  }
  let ticker = setImmediate(function tick() {
    parsed.push(0)
    ticker = setImmediate(tick)
  })
  t.teardown(() => {
    clearImmediate(ticker)
    JSON.parse = parse
  })
  const heavy = `{"id":"a","parts":[${Array(900).fill(1).join(',')}]}`
  const raw = Buffer.from(
    `{"entry":[{"id":"1","changes":[{"field":"messages","value":{"messages":[${Array(150).fill(heavy).join(',')}]}}]}]}`,
  )
  await s.journal.append({ connectionId: 'con', raw })
  await createDerive(s.parts).drain()
  t.equal(s.transactions.flat().length, 150)
  const most = parsed.reduce((a, b) => Math.max(a, b), 0)
  t.ok(most <= 12_000, `at most ${most} in one turn`)
})

t.test('a restart in the middle of a webhook of thousands of updates applies each update once', async t => {
  const s = await stage({ route: async () => 'orgA' })
  const updates = Array.from({ length: 4000 }, (_, i) => ({
    from: '5491155551234',
    id: `wamid.${i}`,
    timestamp: '1795179600',
    type: 'text',
    text: { body: 'x' },
  }))
  await s.journal.append({ connectionId: 'con', raw: metaJson(envelope({ messages: updates })) })
  const broken = { ...s.taker }
  const { apply } = s.taker
  let calls = 0
  s.taker.apply = async (...call) => {
    calls += 1
    if (calls === 5) throw Object.assign(new Error('the power went'), { code: 'SQLITE_FULL' })
    return apply(...call)
  }
  const first = createDerive(s.parts)
  await first.drain()
  await first.stop()
  const before = (await s.applied()).length
  t.ok(before > 0 && before < 4000, `${before} before`)
  const places = () => s.databases.read.selectFrom('webhook_place').selectAll().execute()
  t.same(await places(), [{ seq: 1, place: before }])
  s.transactions.length = 0
  t.equal((await s.rows())[0]?.state, journalState.waiting)
  s.taker.apply = broken.apply
  await createDerive(s.parts).drain()
  t.same(
    await s.applied(),
    updates.map(({ id }) => `orgA/${id}`),
  )
  t.equal(s.transactions.flat().length, 4000 - before, 'what was applied is not even asked for again')
  t.same(await places(), [])
  t.equal((await s.rows())[0]?.state, journalState.applied)
})

const manyOf = (phone: string, mark: string, count: number) =>
  metaJson(
    envelope({
      metadata: { phone_number_id: phone },
      messages: Array.from({ length: count }, (_, i) => ({
        from: '5491155551234',
        id: `wamid.${mark}${i}`,
        timestamp: '1795179600',
        type: 'text',
        text: { body: 'x' },
      })),
    }),
  )
const ofA = '106540352242922'

t.test('large webhooks of two organizations alternate, and later webhooks of the same line wait', async t => {
  const s = await stage()
  await s.journal.append({ connectionId: 'a', raw: manyOf(ofA, 'a', 600) })
  await s.journal.append({ connectionId: 'a', raw: textWebhook({ wamid: 'wamid.behind' }) })
  await s.journal.append({ connectionId: 'b', raw: manyOf('2', 'b', 600) })
  for (let i = 0; i < 9; i += 1) await s.journal.append({ connectionId: `a${i}`, raw: manyOf(ofA, `more${i}.`, 150) })
  await s.journal.append({ connectionId: 'c', raw: textWebhook({ phoneNumberId: '2', wamid: 'wamid.c' }) })
  await s.derive.drain()
  const applied = (await s.applied()).map(one => one.replace(/org.\/wamid\./, ''))
  t.equal(applied.length, 2 * 600 + 9 * 150 + 2)
  t.ok(applied.indexOf('c') < 300, `small ones go between: after ${applied.indexOf('c')}`)
  t.ok(applied.indexOf('behind') > applied.indexOf('a599'))
  // Counted in transactions, because the number of messages per transaction depends on the machine's speed.
  const isOfB = s.transactions.map(([first]) => /^wamid\.b\d/.test(first ?? ''))
  const untilDone = isOfB.slice(0, isOfB.lastIndexOf(true) + 1)
  const ofB = untilDone.filter(Boolean).length
  // Every webhook gets a first step before its organization is known.
  t.ok(untilDone.length - ofB <= ofB + 12, `turns of b: ${ofB}, of others meanwhile: ${untilDone.length - ofB}`)
  for (const mark of ['a', 'b'])
    t.same(
      applied.filter(one => new RegExp(`^${mark}\\d+$`).test(one)),
      Array.from({ length: 600 }, (_, i) => `${mark}${i}`),
    )
})

t.test(
  'if there are more large webhooks than can be open at once, all make progress, however much must be skipped',
  async t => {
    const s = await stage()
    const many = 40
    const parts = Array(900).fill(1).join(',')
    // Each webhook belongs to an organization of its own.
    const own = Array.from({ length: 12 }, (_, i) => `org${i}`)
    for (const id of own)
      await s.databases.write
        .insertInto('organization')
        .values({ id, name: id, slug: id, logo: null, createdAt: '', metadata: null })
        .execute()
    s.parts.numbers.routeOf = async (_item, connectionId) => ({
      orgId: `org${connectionId}`,
      connectionId: `${connectionId}`,
    })
    for (const i of own.keys()) {
      const messages = Array.from({ length: many }, (_, n) => `{"id":"wamid.${i}.${n}","parts":[${parts}]}`).join(',')
      const change = `{"field":"messages","value":{"messages":[${messages}]}}`
      await s.journal.append({ connectionId: `${i}`, raw: Buffer.from(`{"entry":[{"id":"1","changes":[${change}]}]}`) })
    }
    await createDerive(s.parts).drain()
    const applied = await s.applied()
    t.equal(applied.length, own.length * many)
    t.ok((await s.rows()).every(row => row.state === journalState.applied))
  },
)

t.test('at the shared webhook address, accounts alternate as connections do', async t => {
  const s = await stage()
  const ofAccount = (raw: Buffer, id: string) => Buffer.from(raw.toString().replace('"102290129340398"', `"${id}"`))
  await s.journal.append({ connectionId: null, raw: ofAccount(manyOf(ofA, 'a', 3000), '11') })
  await s.journal.append({ connectionId: null, raw: ofAccount(textWebhook({ wamid: 'wamid.same' }), '11') })
  const other = textWebhook({ phoneNumberId: '2', wamid: 'wamid.other' })
  await s.journal.append({ connectionId: null, raw: ofAccount(other, '22') })
  await s.derive.drain()
  const applied = await s.applied()
  t.ok(applied.indexOf('orgB/wamid.other') < 300)
  t.equal(applied.at(-1), 'orgA/wamid.same')
})

t.test('a webhook that failed once is retried while a large one is being applied', async t => {
  const s = await stage()
  await s.journal.append({ connectionId: 'a', raw: manyOf(ofA, 'a', 4000) })
  await s.journal.append({ connectionId: 'b', raw: textWebhook({ phoneNumberId: '2', wamid: 'wamid.b' }) })
  s.refused.set('wamid.b', new Error('for now'))
  const { apply } = s.taker
  let calls = 0
  s.taker.apply = async (...call) => {
    calls += 1
    if (calls === 8) {
      s.refused.clear()
      // The clock goes back while the webhook waits; that must not prolong the wait.
      s.clock.advance(-86_400_000)
    }
    return apply(...call)
  }
  await createDerive(s.parts).drain()
  const place = (await s.applied()).indexOf('orgB/wamid.b')
  t.ok(place > 0 && place < 3000, `after ${place}`)
})

t.test('a webhook with more values than are ever parsed is kept and parked with its reason', async t => {
  const s = await stage()
  const raw = Buffer.from(`{"entry":[${Array(maxWebhookValues).fill('{}').join(',')}]}`)
  await s.journal.append({ connectionId: 'con', raw })
  await s.journal.append({ connectionId: 'con', raw: textWebhook({ wamid: 'wamid.next' }) })
  await s.derive.drain()
  const [large, next] = await s.rows()
  t.match(large, { state: journalState.parked, note: /more than 150000 values/ })
  t.ok(raw.equals(large?.raw as Buffer))
  t.equal(next?.state, journalState.applied)
})

t.test('waiting rows are loaded by size: three large ones are never in memory together', async t => {
  const s = await stage()
  const large = 3_000_000
  for (const size of [10, 10, 3000, 10, large])
    await s.journal.append({ connectionId: 'con', raw: Buffer.alloc(size, ' ') })
  const take = async (after: number) =>
    (await listWaiting(s.databases.read, 'con', after, { rows: 3, bytes: 1000 })).map(row => [row.seq, row.raw?.length])
  const known = (seqs: [number, number | undefined][]) => seqs
  t.same(
    await take(0),
    known([
      [1, 10],
      [2, 10],
    ]),
  )
  t.same(await take(2), known([[3, 3000]]), 'one larger than the limit comes alone')
  t.same(
    await take(3),
    known([
      [4, 10],
      [5, undefined],
    ]),
    'a large one without its bytes',
  )
  t.same(await take(5), [])
  t.equal((await loadRaw(s.databases.read, 5))?.length, large)
})

t.test('rows left by an earlier process are picked up at the start', async t => {
  const s = await stage()
  await s.journal.append({ connectionId: 'con', raw: textWebhook({ wamid: 'wamid.left' }) })
  s.derive.start()
  await s.derive.drain()
  t.same(await s.applied(), ['orgA/wamid.left'])
  await s.derive.stop()
})

t.test('files to fetch are announced after the commit', async t => {
  const s = await stage()
  await s.journal.append({ connectionId: 'con', raw: textWebhook({ wamid: 'wamid.media' }) })
  await s.derive.drain()
  t.equal(s.media(), 1)
})

t.test('stopping finishes the current slice and leaves the rest', async t => {
  const s = await stage()
  for (let i = 0; i < 300; i += 1)
    await s.journal.append({ connectionId: 'con', raw: textWebhook({ wamid: `wamid.${i}` }) })
  s.derive.wake()
  await new Promise(resolve => setImmediate(resolve))
  await s.derive.stop()
  const settled = (await s.rows()).filter(row => row.state === journalState.applied).length
  t.equal((await s.applied()).length, settled)
  const next = createDerive(s.parts)
  await next.drain()
  t.equal((await s.applied()).length, 300)
})

t.test('a burst for one number delays no other number, and each keeps its order', async t => {
  const s = await stage()
  const append = (connectionId: string | null, wamid: string) =>
    s.journal.append({ connectionId, raw: textWebhook({ wamid }) })
  for (let i = 0; i < 300; i += 1) await append('busy', `wamid.busy${i}`)
  const quiet: (string | null)[] = ['a', 'b', 'z', null]
  for (const id of quiet) for (const i of [1, 2]) await append(id, `wamid.${id}${i}`)
  await s.derive.drain()
  const applied = (await s.applied()).map(one => one.replace('orgA/wamid.', ''))
  t.equal(applied.length, 308)
  const last = Math.max(...quiet.map(id => applied.indexOf(`${id}2`)))
  t.ok(last < 40, `after ${last} rows`)
  t.same(
    applied.filter(one => one.startsWith('busy')),
    Array.from({ length: 300 }, (_, i) => `busy${i}`),
  )
  for (const id of quiet) t.ok(applied.indexOf(`${id}1`) < applied.indexOf(`${id}2`))
})

t.test('if more connections wait than fit in a slice, each is served in turn', async t => {
  const s = await stage()
  const names = Array.from({ length: 90 }, (_, i) => `con${String(i).padStart(2, '0')}`)
  for (const round of [1, 2, 3])
    for (const id of names) await s.journal.append({ connectionId: id, raw: Buffer.from(`{"${round}":1}`) })
  const pass = createWaitingRows(s.databases.read)
  const slices: string[][] = []
  for (;;) {
    const rows = await pass.next({ rows: 16, bytes: 100_000 })
    if (!rows.length) break
    slices.push(rows.map(row => row.line))
  }
  const order = slices.flat()
  t.equal(order.length, 270)
  t.equal(new Set(order.slice(0, 90)).size, 90, 'nobody twice before everybody once')
  t.ok(slices.every(slice => slice.length <= 16))
})

t.test('the arrival time of the oldest waiting webhook is found for any connection', async t => {
  const s = await stage()
  t.equal(await oldestUnapplied(s.databases.read), undefined)
  const times: string[] = []
  for (const connectionId of ['z', null, 'a']) {
    times.push(s.clock.now().toISOString())
    await s.journal.append({ connectionId, raw: textWebhook({}) })
    s.clock.advance(1000)
  }
  t.equal(await oldestUnapplied(s.databases.read), times[0])
  await s.databases.write.updateTable('webhook_journal').set({ state: 1 }).where('connection_id', '=', 'z').execute()
  t.equal(await oldestUnapplied(s.databases.read), times[1])
  await s.databases.write.updateTable('webhook_journal').set({ state: 1 }).where('connection_id', 'is', null).execute()
  t.equal(await oldestUnapplied(s.databases.read), times[2])
})

testOnSqlite(
  'rows that wait or were put aside are found by their index, and their size without reading them',
  async t => {
    const { databases } = await stage()
    const { read } = databases.raw
    const said: string[] = []
    const prepare = read.prepare.bind(read)
    read.prepare = ((sql: string) => {
      if (/^(select|with)/.test(sql) && sql.includes('webhook_journal')) said.push(sql)
      return prepare(sql)
    }) as typeof read.prepare
    const limits = { rows: 10, bytes: 1000 }
    await databases.write
      .insertInto('webhook_journal')
      .values(
        [null, 'con'].map(connection_id => ({
          connection_id,
          received_at: 'x',
          line: connection_id ?? '',
          raw: Buffer.from('{}'),
          state: 0,
          note: null,
        })),
      )
      .execute()
    await createWaitingRows(databases.read).next(limits)
    await oldestUnapplied(databases.read)
    await countWebhooksPutAside(databases.read)
    await countWaitingMessages(databases.read, 'con', 10)
    t.ok(said.length >= 7, `${said.length} statements`)
    for (const statement of said) {
      const values = Array(statement.split('?').length - 1).fill('0')
      const plan = prepare(`explain query plan ${statement}`).all(values) as { detail: string }[]
      const looks = plan.map(step => step.detail).filter(detail => /webhook_journal|\bj\b|other/.test(detail))
      t.ok(looks.length > 0)
      for (const look of looks)
        t.match(look, /SEARCH .*(webhook_journal_(waiting|parked)|INTEGER PRIMARY KEY)/, statement.slice(0, 80))
    }
  },
)

t.test(
  'each feature gets the items it takes, in order; items without a handler are kept, logged and counted once',
  async t => {
    const s = await stage()
    const taken: [string, string[]][] = []
    const taker = (name: string, facts: Omit<WebhookTaker, 'feature' | 'apply'>): WebhookTaker => ({
      feature: name,
      ...facts,
      apply: async (_write, items) => void taken.push([name, items.map(nameOfItem)]),
    })
    s.parts.takers = createTakers([
      taker('inbox', { kinds: ['message'] }),
      taker('templates', { fields: ['message_template_status_update'] }),
    ])
    const change = (field: string, value: object) => ({ field, value: { metadata: number, ...value } })
    const number = { phone_number_id: '106540352242922' }
    const raw = metaJson({
      object: 'whatsapp_business_account',
      entry: [
        {
          id: '1',
          changes: [
            change('message_template_status_update', { event: 'APPROVED' }),
            change('calls', { calls: [] }),
            change('next_year', { x: 1 }),
            change('calls', { calls: [1] }),
          ],
        },
      ],
    })
    await s.journal.append({ connectionId: 'con', raw })
    await s.journal.append({ connectionId: 'con', raw: textWebhook({ wamid: 'wamid.1' }) })
    await createDerive(s.parts).drain()
    t.strictSame(taken, [
      ['templates', ['message_template_status_update']],
      ['inbox', ['message']],
    ])
    t.strictSame(
      [...(await countUntaken(s.databases.read))],
      [
        ['calls', 2],
        ['next_year', 1],
      ],
    )
    t.match((await s.rows())[0], {
      state: journalState.applied,
      note: 'kept, taken by no feature: calls, next_year',
    })
    await s.databases.write.updateTable('webhook_journal').set({ state: journalState.waiting }).execute()
    await createDerive(s.parts).drain()
    t.equal((await countUntaken(s.databases.read)).get('calls'), 2, 'a repeated slice keeps nothing twice')
  },
)

t.test('two features for the same items are an error at the start', async t => {
  const apply = async () => {}
  const one = (feature: string): WebhookTaker => ({ feature, kinds: ['message'], apply })
  t.throws(() => createTakers([one('a'), one('b')]), /Both a and b take the kind message/)
})
