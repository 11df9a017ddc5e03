import t from 'tap'
import { seesSome } from '#server/identity/visibility/scope.ts'
import { newId } from '#server/platform/crypto/ids.ts'
import { inTransaction } from '#server/platform/db/db.ts'
import type { ChatsChange } from '#shared/inbox/chat-changes.ts'
import { maxTagsOfContact } from '#shared/tags/api.ts'
import { aMember } from '#test/helpers/actors.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'

/** Three customers have written, and one tag exists. */
const setUp = async () => {
  const stage = await anInbox()
  await stage.connect()
  await stage.apply(...[1, 2, 3].map(n => aMessage({ sender: { waId: `549115500000${n}` } })))
  const { items } = await stage.inbox.listConversations(stage.ana.member, { query: {} })
  const ids = items.map(item => item.id)
  await inTransaction(stage.databases, trx =>
    trx.insertInto('tag').values({ id: 'vip', org_id: stage.orgId, label: 'VIP', created_at: '' }).execute(),
  )
  stage.events.length = 0
  const change = async (body: Omit<ChatsChange, 'ids'> & { ids?: string[] }, member = stage.ana.member) =>
    stage.inbox.changeChats(member, { body: { ids, ...body } })
  const emitted = () => stage.events.splice(0).map(({ type }) => type)
  return { stage, ids, change, emitted }
}

t.test(
  'several conversations are read, tagged, assigned and archived by one call each; repeating changes nothing',
  async t => {
    const { stage, ids, change, emitted } = await setUp()
    for (const [body, fits] of [
      [{ read: true }, { unread: 0 }],
      [{ tagId: 'vip' }, { tags: [{ id: 'vip' }] }],
      [{ userId: stage.ana.user.id }, { assignee: { id: stage.ana.user.id }, control: 'human' }],
      [{ archived: true }, { archived: true, control: 'bot' }],
      [
        { archived: false, read: false, untagId: 'vip' },
        { archived: false, unread: 1, tags: [] },
      ],
    ] as const) {
      const { items, missing } = await change(body)
      t.match(items, [fits, fits, fits], JSON.stringify(body))
      t.same([items.map(item => item.id), missing], [ids, []])
      t.ok(emitted().filter(type => type === 'conversation').length >= 3)
      t.same((await change(body)).items, items)
      t.same(emitted(), [], 'told of nothing twice')
    }
    t.equal((await stage.queued()).filter(({ kind }) => kind === 'read').length, 3, 'one receipt for each customer')
  },
)

t.test('undoing an assignment makes the conversation wait again or gives it back to the bot', async t => {
  const { stage, ids, change, emitted } = await setUp()
  const [waiting = '', released = '', left = ''] = ids
  await change({ userId: stage.ana.user.id })
  emitted()
  const back = async (id: string, body: Omit<ChatsChange, 'ids'>) =>
    (await change({ ids: [id], userId: null, ...body })).items
  t.match(await back(waiting, { control: 'needsHuman' }), [{ assignee: null, control: 'needsHuman' }])
  t.match(await back(released, { control: 'bot' }), [{ assignee: null, control: 'bot' }])
  t.match(await back(left, {}), [{ assignee: null, control: 'human' }])
  emitted()
  t.match(await back(waiting, { control: 'bot' }), [{ control: 'needsHuman' }], 'nobody had it')
  t.same(emitted(), [])
})

t.test('undoing an archive gives each conversation back to its assignee', async t => {
  const { stage, ids, change } = await setUp()
  const [taken = '', waiting = ''] = ids
  await change({ ids: [taken], userId: stage.ana.user.id })
  const before = (await change({ read: true })).items.map(({ control }) => control)
  await change({ archived: true })
  await change({ archived: true })
  t.same(
    (await change({ archived: false })).items.map(({ control }) => control),
    before,
  )
  t.match(before.slice(0, 2), ['human', 'needsHuman'])
  await change({ ids: [waiting], archived: true })
  await stage.apply(aMessage({ sender: { waId: '5491155000002' } }))
  const rows = await stage.databases.read.selectFrom('conversation').select(['control', 'archived']).execute()
  t.same(
    rows.filter(row => row.archived === 1),
    [],
    'a customer who writes comes back by themselves',
  )
})

t.test('undoing an archive keeps the member whom the first reply assigned', async t => {
  const { stage, ids, change } = await setUp()
  const [first = ''] = ids
  const body = { type: 'text', message: 'Voy', numberTel: '5491155000003', isHuman: true } as const
  await stage.inbox.sendMessage(stage.ana.member, { body })
  const taken = [{ assignee: { id: stage.ana.user.id } }]
  t.match((await change({ ids: [first], read: true })).items, taken)
  t.match((await change({ ids: [first], archived: true })).items, taken)
  t.match((await change({ ids: [first], archived: false })).items, taken)
})

t.test('unknown conversations are reported and the others changed; if all are unknown nothing changes', async t => {
  const { stage, ids, change, emitted } = await setUp()
  const [first = '', second = ''] = ids
  await change({ ids: [first], tagId: 'vip' })
  emitted()
  const beto = await aMember({ databases: stage.databases, org: stage.ana.org, role: 'member' })
  const sighted = { ...beto.member, scope: seesSome({ tagIds: ['vip'], assigneeId: null }) }
  const done = await change({ ids: [second, first, first], archived: true }, sighted)
  t.same([done.items.map(item => item.id), done.missing], [[first], [second]])
  emitted()
  const other = await anInbox(stage)
  for (const [member, ids] of [
    [sighted, [second]],
    [other.ana.member, [first, second]],
    [stage.ana.member, ['nobody']],
  ] as const)
    await t.rejects(change({ ids: [...ids], read: true }, member), { code: 'INBOX_CHAT_NOT_FOUND' })
  await t.rejects(change({}), { code: 'APP_VALIDATION', faults: [{ field: 'body' }] })
  t.same(emitted(), [])
})

t.test('an unknown member, team or tag, or a contact with too many tags, changes no conversation', async t => {
  const { stage, ids, change, emitted } = await setUp()
  const row = await stage.databases.read
    .selectFrom('conversation')
    .select('contact_id')
    .where('id', '=', ids.at(-1) ?? '')
    .executeTakeFirstOrThrow()
  await inTransaction(stage.databases, async trx => {
    const tags = Array.from({ length: maxTagsOfContact }, () => newId())
    const org = { org_id: stage.orgId }
    await trx
      .insertInto('tag')
      .values(tags.map(id => ({ ...org, id, label: id, created_at: '' })))
      .execute()
    await trx
      .insertInto('contact_tag')
      .values(tags.map(id => ({ ...org, ...row, tag_id: id })))
      .execute()
  })
  for (const [body, code] of [
    [{ userId: 'nobody' }, 'INBOX_ASSIGNEE_NOT_FOUND'],
    [{ teamId: 'none' }, 'INBOX_TEAM_NOT_FOUND'],
    [{ tagId: 'none' }, 'TAGS_NOT_FOUND'],
    [{ tagId: 'vip' }, 'TAGS_TOO_MANY_ON_CONTACT'],
    [{ tagId: 'vip', archived: true }, 'TAGS_TOO_MANY_ON_CONTACT'],
  ] as const)
    await t.rejects(change(body), { code }, JSON.stringify(body))
  t.same(emitted(), [])
})

t.test('a conversation row carries its list position, which may differ from its last message', async t => {
  const { stage, ids, change } = await setUp()
  const [first = ''] = ids
  const [before] = (await change({ ids: [first], read: true })).items
  t.equal(before?.activityAt, undefined)
  await stage.databases.write
    .updateTable('conversation')
    .set({ last_message_at: '2026-11-20T18:00:00.000Z' })
    .where('id', '=', first)
    .execute()
  const [after] = (await change({ ids: [first], read: false })).items
  t.equal(after?.activityAt, before?.lastMessage?.at)
})
