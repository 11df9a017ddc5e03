import t from 'tap'
import { type Scope, seesAll, seesSome } from '#server/identity/visibility/scope.ts'
import type { ListFilter } from '#server/messaging/conversations/list/list-filter-store.ts'
import { countListParts, countLists } from '#server/messaging/conversations/list/list-part-store.ts'
import { listConversations } from '#server/messaging/conversations/list/list-store.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import { type ListPart, maxOfListPart } from '#shared/inbox/conversations.ts'
import type { ViewFilter } from '#shared/saved-views/api.ts'
import { maxShownViews } from '#shared/saved-views/shown.ts'
import { testOnSqlite } from '#test/helpers/engine.ts'
import { fillTable } from '#test/helpers/fill-table.ts'
import { type AnInbox, anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'

const noon = Date.UTC(2026, 10, 20, 12)
const iso = (ms: number) => new Date(ms).toISOString()
const hour = 60 * 60 * 1000
const closing = { after: iso(noon), until: iso(noon + 2 * hour) }

interface Facts {
  id: string
  unread: number
  control: string
  last_message_status: string | null
  assignee_id: string | null
  window_closes_at: string | null
  waiting_since: string | null
  due_at: string | null
  last_activity_at: string
  archived: number
  tags: string[]
}

/** Conversations in every combination of the filtered properties. */
const setUp = async (): Promise<{ stage: AnInbox; all: Facts[] }> => {
  const stage = await anInbox()
  const count = 96
  await stage.apply(
    ...Array.from({ length: count }, (_, n) =>
      aMessage({ sender: { waId: `54911${50_000_000 + n}` }, at: iso(noon - n * 60_000) }),
    ),
  )
  const { databases, orgId } = stage
  const rows = await databases.read
    .selectFrom('conversation')
    .select(['id', 'contact_id', 'last_activity_at'])
    .where('org_id', '=', orgId)
    .orderBy('last_activity_at', 'desc')
    .execute()
  const all: Facts[] = []
  await inTransaction(databases, async trx => {
    for (const id of ['vip', 'often'])
      await trx.insertInto('tag').values({ id, org_id: orgId, label: id, created_at: '' }).execute()
    for (const [n, { id, contact_id: contactId, last_activity_at }] of rows.entries()) {
      const change = {
        unread: n % 2,
        control: n % 3 ? 'human' : n % 2 ? 'metaAgent' : 'needsHuman',
        last_message_status: n % 5 ? 'received' : 'failed',
        assignee_id: n % 4 === 0 ? stage.ana.user.id : null,
        window_closes_at: n % 7 ? iso(noon + (n % 7) * hour - 1) : null,
        waiting_since: n % 5 ? iso(noon - ((n * 37) % 96) * 60_000) : null,
        archived: n % 11 === 0 ? 1 : n % 13 === 0 ? 2 : 0,
      } as const
      const due_at = n % 3 === 1 ? iso(noon + (30 - ((n * 29) % 96)) * 60_000) : null
      if (due_at !== null)
        await trx
          .insertInto('answer_due')
          .values({ conversation_id: id, org_id: orgId, segment_id: '', since: '', due_at, warned_at: null })
          .execute()
      const tags = [...(n % 6 === 0 ? ['vip'] : []), ...(n % 2 === 0 ? ['often'] : [])]
      await trx.updateTable('conversation').set(change).where('id', '=', id).execute()
      for (const tag_id of tags)
        await trx.insertInto('contact_tag').values({ contact_id: contactId, tag_id, org_id: orgId }).execute()
      all.push({ id, last_activity_at, due_at, tags, ...change })
    }
  })
  return { stage, all }
}

const { stage, all } = await setUp()

const fits =
  (filter: ListFilter, scope: Scope) =>
  (row: Facts): boolean =>
    row.archived === (filter.isSnoozed ? 2 : filter.archived ? 1 : 0) &&
    (!filter.isUnread || row.unread > 0) &&
    (!filter.needsHuman || row.control === 'needsHuman') &&
    (!filter.isMetaAgents || row.control === 'metaAgent') &&
    (!filter.isWaiting || row.waiting_since !== null) &&
    (filter.overdueAt === undefined || (row.due_at !== null && row.due_at <= filter.overdueAt)) &&
    (!filter.isFailed || row.last_message_status === 'failed') &&
    (filter.assigneeId === undefined || row.assignee_id === filter.assigneeId) &&
    (!filter.closing ||
      (row.window_closes_at !== null &&
        row.window_closes_at > filter.closing.after &&
        row.window_closes_at <= filter.closing.until)) &&
    (filter.tags ?? []).every(tag => row.tags.includes(tag)) &&
    (scope.kind === 'all' ||
      (scope.assigneeId !== null && row.assignee_id === scope.assigneeId) ||
      scope.tagIds?.some(tag => row.tags.includes(tag)) === true)

const expected = (filter: ListFilter, scope: Scope) => {
  const rows = all.filter(fits(filter, scope))
  if (filter.overdueAt !== undefined) rows.sort((a, b) => (`${a.due_at} ${a.id}` < `${b.due_at} ${b.id}` ? -1 : 1))
  else if (filter.closing)
    rows.sort((a, b) => {
      const [x, y] = [`${a.window_closes_at} ${a.id}`, `${b.window_closes_at} ${b.id}`]
      return x < y ? -1 : 1
    })
  else if (filter.isWaiting) rows.sort((a, b) => (`${a.waiting_since} ${a.id}` < `${b.waiting_since} ${b.id}` ? -1 : 1))
  return rows.map(row => row.id)
}

/** The whole list, read page by page. */
const listed = async (filter: ListFilter, scope: Scope) => {
  const viewer = { orgId: stage.orgId, scope }
  const ids: string[] = []
  for (let page = 1; page < 20; page += 1) {
    const { rows, hasMore } = await listConversations(stage.databases.read, viewer, { ...filter, page, pageSize: 7 })
    ids.push(...rows.map(row => row.id))
    if (!hasMore) break
  }
  return ids
}

const parts: Partial<ListFilter>[] = [
  {},
  { isUnread: true },
  { needsHuman: true },
  { isMetaAgents: true },
  { isFailed: true },
  { isWaiting: true },
  { overdueAt: iso(noon) },
  { assigneeId: null },
  { assigneeId: stage.ana.user.id },
  { closing },
  { tags: ['vip'] },
  { tags: ['vip', 'often', 'vip'] },
  { tags: ['nobody has it'] },
]

t.test(
  'every filter and every pair of filters lists exactly the matching conversations, in order, page by page',
  async t => {
    for (const one of parts)
      for (const other of parts)
        for (const archived of [false, true]) {
          const filter = { archived, ...one, ...other }
          t.same(await listed(filter, seesAll), expected(filter, seesAll), JSON.stringify(filter))
        }
  },
)

t.test('a member with restricted visibility sees no additional conversation through any filter', async t => {
  for (const scope of [
    seesSome({ tagIds: ['vip'], assigneeId: null }),
    seesSome({ tagIds: [], assigneeId: stage.ana.user.id }),
    seesSome({ tagIds: [], assigneeId: null }),
  ])
    for (const one of parts) {
      const filter = { archived: false, ...one }
      t.same(await listed(filter, scope), expected(filter, scope), JSON.stringify([filter, scope]))
    }
})

t.test('what matches a filter is listed whole, for a selection, and only what its reader sees', async t => {
  const some = { ...stage.ana.member, scope: seesSome({ tagIds: ['vip'], assigneeId: null }) }
  const asked: [Parameters<typeof stage.inbox.listMatching>[1]['query'], Partial<ListFilter>][] = [
    [{}, {}],
    [{ unread: true }, { isUnread: true }],
    [{ tag: ['vip'] }, { tags: ['vip'] }],
    [
      { assignee: stage.ana.user.id, archived: true },
      { assigneeId: stage.ana.user.id, archived: true },
    ],
  ]
  for (const [query, filter] of asked)
    for (const member of [stage.ana.member, some]) {
      const { items, hasMore } = await stage.inbox.listMatching(member, { query })
      t.same(
        items.map(({ id }) => id),
        expected({ archived: false, ...filter }, member.scope),
        JSON.stringify([query, member.scope]),
      )
      t.equal(hasMore, false)
    }
  const [first] = (await stage.inbox.listMatching(stage.ana.member, { query: { tag: ['vip'], unread: true } })).items
  const [row] = (await stage.inbox.listConversations(stage.ana.member, { query: { tag: ['vip'], unread: true } })).items
  t.match(row, first, 'as the list shows it')
  const refused = async () => stage.inbox.listMatching(stage.ana.member, { query: { number: '5491100000000' } })
  await t.rejects(refused, { code: 'APP_VALIDATION' })
})

t.test('the HTTP call takes the same filters', async t => {
  const list = (query: object) =>
    stage.inbox.listConversations(stage.ana.member, { query: { pageSize: 100, ...query } })
  const ids = async (query: object) => (await list(query)).items.map(item => item.id)
  t.same(await ids({ unread: true }), expected({ archived: false, isUnread: true }, seesAll))
  t.same(await ids({ assignee: 'none' }), expected({ archived: false, assigneeId: null }, seesAll))
  const hers = { archived: false, assigneeId: stage.ana.user.id, needsHuman: true, tags: ['vip'] }
  t.same(await ids({ assignee: stage.ana.user.id, needsHuman: true, tag: ['vip'] }), expected(hers, seesAll))
  t.same(await ids({ failed: true }), expected({ archived: false, isFailed: true }, seesAll))
  stage.clock.set(iso(noon))
  t.same(await ids({ closing: true }), expected({ archived: false, closing }, seesAll))
  t.same(await ids({ overdue: true }), expected({ archived: false, overdueAt: iso(noon) }, seesAll))
  t.same(await ids({ unread: false, failed: false, needsHuman: false }), expected({ archived: false }, seesAll))
})

t.test(
  'the counts of the list’s parts equal what their filters list for each member, and say if there are more',
  async t => {
    const open = { archived: false }
    const parts = {
      mine: { ...open, assigneeId: stage.ana.user.id },
      unassigned: { ...open, assigneeId: null },
      needsHuman: { ...open, needsHuman: true },
      metaAgent: { ...open, isMetaAgents: true },
      unread: { ...open, isUnread: true },
      overdue: { ...open, overdueAt: iso(noon) },
      closing: { ...open, closing },
      failed: { ...open, isFailed: true },
      archived: { archived: true },
      snoozed: { archived: false, isSnoozed: true },
      waiting: { ...open, isWaiting: true },
    }
    const count = (scope: Scope, most: number) =>
      countListParts(stage.databases.read, { orgId: stage.orgId, scope }, parts, most)
    const scopes = [
      seesAll,
      seesSome({ tagIds: ['vip'], assigneeId: null }),
      seesSome({ tagIds: [], assigneeId: stage.ana.user.id }),
      seesSome({ tagIds: [], assigneeId: null }),
    ]
    for (const scope of scopes)
      for (const most of [99, 5]) {
        const counts = await count(scope, most)
        for (const [part, filter] of Object.entries(parts)) {
          const there = expected(filter, scope).length
          const counted = { count: Math.min(there, most), more: there > most }
          t.same(counts[part as ListPart], counted, JSON.stringify([part, scope, most]))
        }
      }
    stage.clock.set(iso(noon))
    t.same(await stage.inbox.countLanes(stage.ana.member, { query: {} }), await count(seesAll, maxOfListPart))
  },
)

t.test('lists are counted in one statement, each as long as it is for its reader', async t => {
  const filters = parts.flatMap(one =>
    parts.flatMap(other => [false, true].map(archived => ({ archived, ...one, ...other }))),
  )
  const scopes = [seesAll, seesSome({ tagIds: ['vip'], assigneeId: stage.ana.user.id })]
  for (const scope of scopes)
    for (let from = 0; from < filters.length; from += maxShownViews) {
      const some = filters.slice(from, from + maxShownViews)
      const counts = await countLists(stage.databases.read, { orgId: stage.orgId, scope }, some, maxOfListPart)
      t.same(
        counts,
        some.map(filter => ({ count: expected(filter, scope).length, more: false })),
        JSON.stringify([some, scope]),
      )
    }
  t.same(await countLists(stage.databases.read, { orgId: stage.orgId, scope: seesAll }, [], maxOfListPart), [])
})

t.test('saved views are counted as the list shows them to each of their readers', async t => {
  stage.clock.set(iso(noon))
  await stage.connect('5491150000000')
  const filters: ViewFilter[] = [
    { failed: true },
    { assignee: 'me' },
    { assignee: 'none', overdue: true },
    { closing: true },
    { archived: true, tags: ['often'] },
    { number: '5491100000000' },
    { number: '5491150000000' },
    { tags: ['vip'], waiting: true },
  ]
  const { member } = stage.ana
  const rows = filters.map((filter, n) => ({
    id: `view${n}`,
    org_id: stage.orgId,
    author_id: member.userId,
    shared: n === 0 ? 1 : 0,
    name: `Vista ${n}`,
    filter: JSON.stringify(filter),
  }))
  await stage.databases.write.insertInto('saved_view').values(rows).execute()
  const views = stage.parts.services.savedViews
  const { items } = await views.listViews(member, {})
  for (const reader of [member, { ...member, scope: seesSome({ tagIds: ['vip'], assigneeId: null }) }]) {
    const counts = (await views.countViews(reader, {})).items
    // Private ones come first, and a number that is none of ours counts nothing.
    t.equal(counts.length, maxShownViews - 1)
    t.notOk(counts.some(({ id }) => id === 'view0'))
    for (const { id, count, more } of counts) {
      const { tags, assignee, ...switches } = items.find(view => view.id === id)?.filter ?? {}
      const query = {
        ...switches,
        ...(tags ? { tag: tags } : {}),
        ...(assignee ? { assignee: assignee === 'me' ? member.userId : assignee } : {}),
        pageSize: 100,
      }
      const listed = (await stage.inbox.listConversations(reader, { query })).items.length
      t.same({ count, more }, { count: listed, more: false }, JSON.stringify(query))
    }
  }
})

t.test('a tag that few contacts have is counted exactly in a list too long to read', async t => {
  const fresh = await anInbox()
  const { databases, orgId } = fresh
  await fresh.apply(aMessage({ at: iso(noon) }))
  const [contact, conversation] = await Promise.all([
    databases.read.selectFrom('contact').selectAll().where('org_id', '=', orgId).executeTakeFirstOrThrow(),
    databases.read.selectFrom('conversation').selectAll().where('org_id', '=', orgId).executeTakeFirstOrThrow(),
  ])
  const count = 600
  await fillTable(databases, 'contact', { like: contact, counted: ['id', 'wa_id'], count })
  const older = { ...conversation, last_activity_at: iso(noon - hour) }
  await fillTable(databases, 'conversation', { like: older, counted: ['id', 'contact_id'], count })
  for (const [id, tagged] of [
    ['few', 3],
    ['many', count],
  ] as const) {
    await databases.write.insertInto('tag').values({ id, org_id: orgId, label: id, created_at: '' }).execute()
    const like = { org_id: orgId, tag_id: id, contact_id: '' }
    await fillTable(databases, 'contact_tag', { like, counted: ['contact_id'], count: tagged })
  }
  const filters = [['few'], ['many', 'few'], ['few', 'many']].map(tags => ({ archived: false, tags }))
  const counts = await countLists(databases.read, { orgId, scope: seesAll }, filters, maxOfListPart)
  t.same(counts[0], { count: 3, more: false })
  t.same(counts[2], { count: 3, more: false })
  t.equal(counts[1]?.more, true, 'it may not have been read to its end')
})

t.test('a search stays within the filter', async t => {
  const query = { page: 1, pageSize: 100, archived: false, search: '5491150000006', isUnread: true }
  const viewer = { orgId: stage.orgId, scope: seesAll }
  const even = await listConversations(stage.databases.read, viewer, query)
  const odd = await listConversations(stage.databases.read, viewer, { ...query, search: '5491150000005' })
  t.same([even.rows.length, odd.rows.length], [0, 1])
})

const plansOf = async ({ databases }: AnInbox, ask: () => Promise<unknown>): Promise<string> => {
  const { raw } = databases
  const details: string[] = []
  const prepare = raw.read.prepare.bind(raw.read)
  raw.read.prepare = ((sql: string) => {
    const nulls = Array.from({ length: sql.split('?').length - 1 }, () => null)
    const steps = prepare(`explain query plan ${sql}`).all(...nulls) as { detail: string }[]
    details.push(...steps.map(step => step.detail))
    return prepare(sql)
  }) as typeof raw.read.prepare
  await ask()
  raw.read.prepare = prepare as typeof raw.read.prepare
  return details.join('\n')
}

testOnSqlite('each filter reads its own index in order, and never all conversations of an organization', async t => {
  // Statements prepared before are cached, so a new database shows them again.
  const fresh = await anInbox()
  for (const [filter, index] of [
    [{ isUnread: true }, 'conversation_unread'],
    [{ needsHuman: true }, 'conversation_needed'],
    [{ isMetaAgents: true }, 'conversation_meta_agent'],
    [{ isFailed: true }, 'conversation_failed'],
    [{ assigneeId: null }, 'conversation_assignee'],
    [{ assigneeId: 'ana' }, 'conversation_assignee'],
    [{ closing }, 'conversation_closing'],
    [{ isWaiting: true }, 'conversation_waiting'],
    [{ isSnoozed: true }, 'snooze_waiting'],
    [{ overdueAt: iso(noon) }, 'answer_due_by_time'],
    [{ tags: ['vip'] }, 'COVERING INDEX conversation_list'],
    // A page beyond the part of the list that is read first.
    [{ tags: ['vip'], page: 9 }, 'contact_tag_tag'],
  ] as const) {
    const query = { archived: false, page: 1, pageSize: 30, ...filter }
    const plan = await plansOf(fresh, () =>
      listConversations(fresh.databases.read, { orgId: fresh.orgId, scope: seesAll }, query),
    )
    t.match(plan, index, JSON.stringify(filter))
    t.notMatch(plan, /SCAN (contact|contact_tag|message)\b/, index)
    if (!('tags' in filter)) t.notMatch(plan, /TEMP B-TREE/, index)
  }
})

testOnSqlite('a view with a tag is counted from the tag and from the list, reading neither to its end', async t => {
  const fresh = await anInbox()
  const viewer = { orgId: fresh.orgId, scope: seesSome({ tagIds: ['vip'], assigneeId: 'ana' }) }
  const filters = [
    { tags: ['vip'] },
    { tags: ['vip', 'often'], isUnread: true },
    { tags: ['vip'], connectionId: 'one' },
  ]
  const plan = await plansOf(fresh, () =>
    countLists(
      fresh.databases.read,
      viewer,
      filters.map(filter => ({ archived: false, ...filter })),
      maxOfListPart,
    ),
  )
  t.match(plan, 'contact_tag_tag')
  t.match(plan, 'conversation_unread')
  t.match(plan, /SEARCH conversation USING INDEX \w*conversation\w* \(contact_id=\?/)
  t.notMatch(plan, /SCAN (contact|contact_tag|message)\b/)
  t.notMatch(plan, /SCAN conversation(?! *$)\b/m)
  t.notMatch(plan, /TEMP B-TREE|AUTOMATIC/)
})

testOnSqlite('each part of the list is counted by its own index, and none is read to its end', async t => {
  const fresh = await anInbox()
  const plan = await plansOf(fresh, async () => fresh.inbox.countLanes(fresh.ana.member, { query: {} }))
  for (const name of ['unread', 'needed', 'failed', 'assignee', 'closing']) t.match(plan, `conversation_${name}`)
  t.match(plan, 'answer_due_by_time')
  t.notMatch(plan, /SCAN conversation(?! *$)\b/m)
  t.notMatch(plan, /TEMP B-TREE/)
})
