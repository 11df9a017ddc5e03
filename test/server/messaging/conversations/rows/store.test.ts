import t from 'tap'
import { applyDelivery } from '#server/messaging/messages/delivery/delivery.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { type AnInbox, anInbox } from '#test/helpers/inbox.ts'
import { aMessage, anEcho, anEdit, aReaction, aStatus, lucia } from '#test/helpers/items.ts'

const phone = lucia.waId as string
const at = (second: number) => new Date(Date.UTC(2026, 10, 20, 12, 0, second)).toISOString()

/** Collects every statement prepared from now on. */
const statementsOf = (databases: Databases): Set<string> => {
  const seen = new Set<string>()
  const { write } = databases.raw
  const prepare = write.prepare.bind(write)
  write.prepare = ((sql: string) => {
    if (!sql.startsWith('explain')) seen.add(sql)
    return prepare(sql)
  }) as typeof write.prepare
  return seen
}

const planOf = (databases: Databases, sql: string): string[] => {
  const nulls = Array.from({ length: sql.split('?').length - 1 }, () => null)
  const rows = databases.raw.write.prepare(`explain query plan ${sql}`).all(...nulls) as { detail: string }[]
  return rows.map(row => row.detail)
}

/**
 * Whether a step scans a whole table or index of ours, sorts, or reads all rows of an organization. `v`, `newest`,
 * `unread_one`, `given` and `key` are short lists inside a statement; `given` and `key` hold every looked-up value
 * once.
 */
const isSlow = (step: string) =>
  /^SCAN (?!\d+-ROW|\d+ CONSTANT|CONSTANT|v$|newest$|unread_one$|given$|key$)/.test(step) ||
  /USE TEMP B-TREE (?!FOR DISTINCT$)/.test(step) ||
  /^SEARCH (message|contact|conversation|contact_tag|reaction|media|pending_effect) .*\(org_id=\?\)/.test(step)

const isDistinct = (sql: string, step: string) => step === 'USE TEMP B-TREE FOR DISTINCT' && !sql.includes(' as given)')

/** Steps of foreign key checks for deleted and replaced rows. They do not belong to the statement's own plan. */
const isOfForeignKey = (sql: string, step: string) => !/^(select|update)/i.test(sql) && /^SCAN outbox/.test(step)

/** A statement without a condition or an order reads no more rows than its limit. */
const isLimited = (sql: string) => /^select "\w+" from "\w+" limit \+?\?$/.test(sql)

const slowSteps = (databases: Databases, statements: ReadonlySet<string>) =>
  [...statements]
    .filter(sql => /^(select|insert|update|delete)/i.test(sql) && !isLimited(sql))
    .flatMap(sql =>
      planOf(databases, sql)
        .filter(step => (isSlow(step) || isDistinct(sql, step)) && !isOfForeignKey(sql, step))
        .map(step => `${step} <- ${sql.slice(0, 160)}`),
    )

testOnSqlite('the list of one number and the chat of one id read their index in order', async t => {
  const stage = await anInbox()
  await stage.connect('5491150000001', { kind: 'cloud' })
  await stage.connect('5491150000002', { kind: 'cloud', phoneNumberId: '206540352242922' })
  await stage.apply(...Array.from({ length: 60 }, (_, i) => aMessage({ at: at(i % 60) })))
  await stage.apply(aMessage({ phoneNumberId: '206540352242922' }))
  const statements = statementsOf(stage.databases)
  const caller = stage.ana.member
  const { items } = await stage.inbox.listConversations(caller, { query: { number: '5491150000001' } })
  const own = { phone: items[0]?.id ?? '' }
  await stage.inbox.getConversation(caller, { params: own })
  await stage.inbox.listMessages(caller, { params: own, query: {} })
  await stage.inbox.listMessages(caller, { params: { phone }, query: {} })
  t.ok(statements.size >= 5)
  t.ok([...statements].some(sql => planOf(stage.databases, sql).some(step => step.includes('conversation_number'))))
  t.strictSame(slowSteps(stage.databases, statements), [])
})

testOnSqlite('the list and the thread read their index in order', async t => {
  const stage = await anInbox()
  await stage.apply(...Array.from({ length: 60 }, (_, i) => aMessage({ at: at(i % 60), replyToWamid: 'wamid.x' })))
  const statements = statementsOf(stage.databases)
  const caller = stage.ana.member
  await stage.inbox.listConversations(caller, { query: {} })
  await stage.inbox.getConversation(caller, { params: { phone } })
  const page = await stage.inbox.listMessages(caller, { params: { phone }, query: {} })
  await stage.inbox.listMessages(caller, { params: { phone }, query: { before: page.items[0]?.id } })
  await stage.inbox.countUnread(caller, {})
  t.ok(statements.size >= 7)
  t.strictSame(slowSteps(stage.databases, statements), [])
  const plans = [...statements].map(sql => planOf(stage.databases, sql).join('; '))
  t.ok(
    plans.some(plan =>
      /conversation USING INDEX conversation_list \(org_id=\? AND kind=\? AND archived=\? AND last_activity_at>\?\)/.test(
        plan,
      ),
    ),
    'list',
  )
  t.ok(
    plans.some(plan => /message USING INDEX message_thread \(conversation_id=\?\)/.test(plan)),
    'thread',
  )
  t.ok(
    plans.some(plan =>
      /message_thread \(conversation_id=\? AND \(at,seq\)<\(\?,\?\)\)|message_thread \(conversation_id=\? AND at<\?\)/.test(
        plan,
      ),
    ),
    'before',
  )
})

testOnSqlite('a page far down passes over those before it in the index alone', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage())
  const statements = statementsOf(stage.databases)
  await stage.inbox.listConversations(stage.ana.member, { query: { page: 4 } })
  const plans = [...statements].map(sql => planOf(stage.databases, sql).join('; '))
  const page = plans.find(plan => /COVERING INDEX conversation_list/.test(plan))
  t.match(page, /SEARCH conversation USING INDEX sqlite_autoindex_conversation_1 \(id=\?\)/)
  t.match(
    page,
    /SEARCH conversation USING COVERING INDEX conversation_list \(org_id=\? AND kind=\? AND archived=\? AND last_activity_at>\?\)/,
  )
  t.notMatch(page, /SCAN conversation/)
})

testOnSqlite('no statement of a batch reads a whole table, whatever its size', async t => {
  const stage = await anInbox()
  const statements = statementsOf(stage.databases)
  const batch = async (size: number) => {
    const messages = Array.from({ length: size }, (_, i) =>
      aMessage({
        sender: { waId: `54911${55000000 + i}`, bsuid: `AR.${i}`, username: `u${i}` },
        replyToWamid: 'wamid.q',
        body: { type: 'image', text: '', media: { providerId: '1', mime: 'image/png' } },
      }),
    )
    await stage.apply(...messages)
    await stage.apply(
      ...messages.map(message => aReaction({ targetWamid: message.wamid, sender: message.sender, opensWindow: true })),
      ...messages.map(message => anEdit({ targetWamid: message.wamid })),
      ...messages.map(message => aStatus({ wamid: `${message.wamid}?`, status: 'read', callback: 'none' })),
      ...messages.map(message => anEcho({ wamid: `${message.wamid}!`, recipient: message.sender })),
    )
    await stage.apply(
      ...messages.map(message => aStatus({ wamid: `${message.wamid}!`, status: 'read' })),
      ...messages.map(message => anEcho({ wamid: `${message.wamid}?`, recipient: message.sender })),
    )
  }
  for (const size of [1, 4, 16, 64, 256]) await batch(size)
  t.ok(statements.size > 50)
  // The list of members is the only one that is read by organization and sorted.
  const slow = slowSteps(stage.databases, statements).filter(step => !step.includes('from "member"'))
  t.strictSame(slow, [])
})

testOnSqlite('sending and settling a message look up by keys', async t => {
  const stage = await anInbox()
  await stage.connect()
  await stage.apply(aMessage())
  const statements = statementsOf(stage.databases)
  const { id } = await stage.inbox.sendMessage(stage.ana.member, {
    body: { message: 'Hola', numberTel: phone, clientKey: newId(), replyToMessageId: null },
  })
  await stage.write(write =>
    applyDelivery(
      write,
      { messageId: id },
      { kind: 'accepted', wamid: 'wamid.1', at: at(1), waId: '541155551234' },
      { clock: stage.clock },
    ),
  )
  await stage.inbox.markRead(stage.ana.member, { params: { phone } })
  t.strictSame(slowSteps(stage.databases, statements), [])
})

const phonesOf = async (stage: AnInbox, query: Record<string, unknown>) =>
  (await stage.inbox.listConversations(stage.ana.member, { query })).items.map(row => row.phone)

t.test('pages follow each other without gaps or duplicates and say whether there are more', async t => {
  const stage = await anInbox()
  await stage.apply(
    ...Array.from({ length: 65 }, (_, i) => aMessage({ sender: { waId: `549115555${1000 + i}` }, at: at(i % 7) })),
  )
  const seen: string[] = []
  for (const [page, more] of [
    [1, true],
    [2, true],
    [3, false],
  ] as const) {
    const reply = await stage.inbox.listConversations(stage.ana.member, { query: { page } })
    t.match(reply, { page, pageSize: 30, hasMore: more })
    seen.push(...reply.items.map(row => row.phone))
  }
  t.equal(new Set(seen).size, 65)
  t.strictSame(await stage.inbox.listConversations(stage.ana.member, { query: { page: 4 } }), {
    items: [],
    page: 4,
    pageSize: 30,
    hasMore: false,
  })
  t.match(await stage.inbox.listConversations(stage.ana.member, { query: { page: 1, pageSize: 65 } }), {
    hasMore: false,
  })
})

t.test('a thread pages backwards, oldest first within each page, by page number and by cursor', async t => {
  const stage = await anInbox()
  // Two messages per second, so that the cursor must distinguish equal times.
  await stage.apply(...Array.from({ length: 120 }, (_, i) => aMessage({ at: at(Math.floor(i / 2)), words: String(i) })))
  const read = (query: { page?: number; before?: string }) =>
    stage.inbox.listMessages(stage.ana.member, { params: { phone }, query })
  const words = (page: Awaited<ReturnType<typeof read>>) => page.items.map(message => Number(message.text))
  const range = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, i) => from + i)
  const first = await read({})
  t.strictSame(words(first), range(70, 119))
  t.equal(first.hasMore, true)
  t.strictSame(words(await read({ page: 2 })), range(20, 69))
  const second = await read({ before: first.items[0]?.id })
  t.strictSame(words(second), range(20, 69))
  const last = await read({ before: second.items[0]?.id })
  t.strictSame(words(last), range(0, 19))
  t.equal(last.hasMore, false)
  t.strictSame(words(await read({ before: last.items[0]?.id })), [])
  await t.rejects(async () => read({ before: newId() }), { code: 'APP_VALIDATION', fields: ['query.before'] })
})

t.test('search finds names without accents, numbers in any format, usernames and words', async t => {
  const stage = await anInbox()
  await stage.apply(
    aMessage({ sender: lucia, words: 'Quisiera una torta de 50% chocolate', at: at(1) }),
    aMessage({ sender: { bsuid: 'AR.7', username: 'Pedro_77', profileName: 'Pedro' }, words: 'Buenas', at: at(2) }),
    aMessage({ sender: { waId: '5215512345678', profileName: 'Xóchitl' }, words: 'Hola', at: at(3) }),
  )
  const found: [string, string[]][] = [
    ['mendez', [phone]],
    ['MÉNDEZ', [phone]],
    ['Lucía M', [phone]],
    ['pedro_7', ['AR.7']],
    ['PEDRO', ['AR.7']],
    ['torta', [phone]],
    ['50%', [phone]],
    ['5%%', []],
    ['_', []],
    ['xochitl', ['5215512345678']],
    ['1234', [phone, '5215512345678'].reverse()],
    ['+54 9 11 5555-1234', [phone]],
    ['011 15 5555-1234', [phone]],
    ['11 5555 1234', [phone]],
    ['541155551234', [phone]],
    ['54 11 5555', [phone]],
    ['+52 55 1234 5678', ['5215512345678']],
    ['nadie', []],
    ['99999', []],
  ]
  for (const [search, phones] of found) t.strictSame(await phonesOf(stage, { search }), phones, search)
  t.equal((await phonesOf(stage, { search: '   ' })).length, 3, 'blank asks for everything')
  t.strictSame(await phonesOf(stage, { search: 'mendez', archived: true }), [])
  for (const search of ["' or 1=1 --", '\\', '%', '"', '*'.repeat(200)])
    t.strictSame(await phonesOf(stage, { search: `${search}zz` }), [], search)
})

t.test('words of messages are found literally, ignoring accents and case', async t => {
  const stage = await anInbox()
  await stage.apply(
    aMessage({ sender: lucia, words: 'Soy JOSÉ, ¿hay ÑOQUIS con salsa rosé al 100%?', at: at(1) }),
    aMessage({ sender: { waId: '5215512345678', profileName: 'X' }, words: 'Cafe\u0301 con leche', at: at(2) }),
  )
  for (const search of ['josé', 'JOSE', 'ñoquis', 'noquis CON', 'rosé al 100%', '  jose, '])
    t.strictSame(await phonesOf(stage, { search }), [phone], search)
  t.strictSame(await phonesOf(stage, { search: 'CAFÉ con' }), ['5215512345678'], 'composed or not')
  for (const search of ['j%sé', 'jo_e', 'josefa']) t.strictSame(await phonesOf(stage, { search }), [], search)
})

t.test('search results are paged like the list', async t => {
  const stage = await anInbox()
  await stage.apply(
    ...Array.from({ length: 40 }, (_, i) =>
      aMessage({ sender: { waId: `549115555${1000 + i}`, profileName: 'Cliente' }, at: at(i) }),
    ),
  )
  const first = await stage.inbox.listConversations(stage.ana.member, { query: { search: 'cliente' } })
  const second = await stage.inbox.listConversations(stage.ana.member, { query: { search: 'cliente', page: 2 } })
  t.match([first.items.length, first.hasMore, second.items.length, second.hasMore], [30, true, 10, false])
  t.equal(first.items[0]?.phone, '5491155551039')
})

t.test('several tags in a filter must all be present', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage({ at: at(1) }), aMessage({ sender: { waId: '5491166667777' }, at: at(2) }))
  const contacts = await stage.databases.read.selectFrom('contact').select(['id', 'wa_id']).orderBy('wa_id').execute()
  const db = stage.databases.write
  for (const id of ['vip', 'deuda'])
    await db
      .insertInto('tag')
      .values({ id, org_id: stage.orgId, label: id, created_at: at(0) })
      .execute()
  const tag = (contact: number, id: string) =>
    db
      .insertInto('contact_tag')
      .values({ contact_id: contacts[contact]?.id as string, tag_id: id, org_id: stage.orgId })
      .execute()
  await tag(0, 'vip')
  await tag(0, 'deuda')
  await tag(1, 'vip')
  t.strictSame(await phonesOf(stage, { tag: ['vip'] }), ['5491166667777', phone])
  t.strictSame(await phonesOf(stage, { tag: ['vip', 'deuda', 'vip'] }), [phone])
  t.strictSame(await phonesOf(stage, { tag: ['nada'] }), [])
  t.strictSame(await phonesOf(stage, { tag: ['vip'], search: '6666' }), ['5491166667777'])
  t.match(await stage.inbox.getConversation(stage.ana.member, { params: { phone } }), {
    tags: [{ id: 'deuda', label: 'deuda' }, { id: 'vip' }],
  })
})

t.test('send failures are described in the reader’s language', async t => {
  const stage = await anInbox()
  await stage.connect()
  await stage.apply(aMessage({ at: '2026-11-20T12:59:00.000Z' }))
  const { id } = await stage.inbox.sendMessage(stage.ana.member, { body: { message: 'Hola', numberTel: phone } })
  await stage.write(write =>
    applyDelivery(write, { messageId: id }, { kind: 'failed', code: '131026', at: at(1) }, { clock: stage.clock }),
  )
  const read = async (language: 'es' | 'en') =>
    (await stage.inbox.listMessages({ ...stage.ana.member, language }, { params: { phone }, query: {} })).items.at(-1)
      ?.error
  const [es, en] = [await read('es'), await read('en')]
  t.match([es?.code, en?.code], ['131026', '131026'])
  t.match(es?.message, /WhatsApp no pudo entregar/)
  t.not(es?.message, en?.message)
})
