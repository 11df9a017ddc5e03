import t from 'tap'
import { systemActor } from '#server/platform/events/actors.ts'
import { aMember } from '#test/helpers/actors.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'

const phone = '5491155550101'

const aStage = async () => {
  const stage = await anInbox()
  const { databases, ana, orgId, clock } = stage
  await stage.apply(aMessage({ sender: { waId: phone }, at: clock.now().toISOString() }))
  const beto = await aMember({ databases, org: ana.org, role: 'member' })
  await databases.write
    .insertInto('team')
    .values({ id: 'sales', name: 'Ventas', organizationId: orgId, createdAt: '', memberCount: 0, updatedAt: null })
    .execute()
  clock.advance(60_000)
  stage.events.length = 0
  const thread = async () =>
    (await stage.inbox.listMessages(ana.member, { params: { phone }, query: {} })).items.map(
      ({ type, activity, text }) => activity ?? { type, text },
    )
  return {
    ...stage,
    beto,
    thread,
    lines: async () => (await thread()).filter(one => 'kind' in one),
    assign: (body: object) => stage.inbox.assignChat(ana.member, { params: { phone }, body }),
    archive: (archived: boolean) => stage.inbox.archiveChat(ana.member, { body: { phoneNumber: phone, archived } }),
  }
}

t.test('an assignment is one activity line each for member and team, placed by its time', async t => {
  const { assign, ana, beto, thread, events } = await aStage()
  await assign({ userId: beto.user.id, teamId: 'sales' })
  const by = { kind: 'person', id: ana.user.id, name: ana.user.name }
  const person = { kind: 'assigned', by, assignee: { id: beto.user.id, name: beto.user.name } }
  const team = { kind: 'assigned', by, team: { id: 'sales', name: 'Ventas' } }
  t.match(await thread(), [{ type: 'text' }, person, team])
  t.same(
    events.map(({ type }) => type),
    ['human.claimed', 'conversation', 'internal', 'internal'],
    'open tabs get each, and the turn to a person has no line of its own',
  )
  await assign({ userId: beto.user.id, teamId: 'sales' })
  t.equal((await thread()).length, 3, 'the same again is no news')
  await assign({ userId: null, teamId: null })
  t.match((await thread()).slice(3), [
    { ...person, kind: 'unassigned' },
    { ...team, kind: 'unassigned' },
  ])
})

t.test('a first answer adds a line naming whom it assigned, just above it; the next adds none', async t => {
  const { inbox, ana, thread, connect } = await aStage()
  await connect()
  const send = (message: string) => inbox.sendMessage(ana.member, { body: { numberTel: phone, message } })
  await send('Buenas')
  await send('¿Qué necesitás?')
  t.match(await thread(), [
    { type: 'text' },
    { kind: 'assigned', byReply: true, by: { name: ana.user.name } },
    { text: 'Buenas' },
    { text: '¿Qué necesitás?' },
  ])
})

t.test('archiving adds one line; a customer who writes reopens with a line above the message', async t => {
  const { archive, apply, ana, lines, thread, clock } = await aStage()
  await archive(true)
  await archive(true)
  t.match(await lines(), [{ kind: 'archived', by: { id: ana.user.id } }])
  clock.advance(60_000)
  await apply(
    aMessage({ sender: { waId: phone }, at: clock.now().toISOString(), body: { type: 'text', text: 'Sigo acá' } }),
  )
  t.match((await thread()).slice(-2), [{ kind: 'unarchived', by: { kind: 'customer' } }, { text: 'Sigo acá' }])
  await archive(true)
  await archive(false)
  t.match((await lines()).slice(-2), [{ kind: 'archived' }, { kind: 'unarchived', by: { id: ana.user.id } }])
})

t.test('after unarchiving the assignee is the former one, and no line says that somebody took over', async t => {
  const { archive, lines, assign, ana } = await aStage()
  await assign({ userId: ana.user.id })
  const before = await lines()
  await archive(true)
  await archive(false)
  t.match((await lines()).slice(before.length), [{ kind: 'archived' }, { kind: 'unarchived' }])
  t.equal((await lines()).length, before.length + 2)
})

t.test('a bot’s start, handover, end and a return to the bot each add a line', async t => {
  const { write, lines, events } = await aStage()
  const bot = { kind: 'bot', id: 'f1', name: 'Turnos' } as const
  const ana = { kind: 'person', id: 'u1', name: 'Ana' } as const
  await write(async ({ db, emit }) => {
    const row = await db.selectFrom('conversation').select(['id', 'contact_id']).executeTakeFirstOrThrow()
    const place = { conversationId: row.id, contactId: row.contact_id, number: phone }
    for (const [from, to, by] of [
      ['none', 'bot', bot],
      ['bot', 'needsHuman', bot],
      ['needsHuman', 'human', ana],
      ['human', 'none', ana],
      ['bot', 'none', bot],
      ['none', 'needsHuman', { kind: 'customer', id: 'c', name: 'Sofía' }],
    ] as const)
      emit({ type: 'conversation.controlChanged', data: { ...place, from, to, by } })
  })
  t.match(await lines(), [
    { kind: 'botStarted', by: bot },
    { kind: 'handedOver', by: bot },
    { kind: 'takenOver', by: ana },
    { kind: 'givenBack', by: ana },
    { kind: 'botEnded', by: bot },
  ])
  t.equal((await lines()).length, 5, 'that a customer waits is not what somebody did')
  t.equal(events.filter(({ type }) => type === 'internal').length, 5)
})

t.test('a line keeps the tag’s name of that time', async t => {
  const { write, lines } = await aStage()
  await write(async ({ db, emit }) => {
    const row = await db.selectFrom('conversation').select(['id', 'contact_id']).executeTakeFirstOrThrow()
    const data = { conversationId: row.id, contactId: row.contact_id, number: phone, tagId: 't1', label: 'VIP' }
    emit({ type: 'contact.tagged', data })
    emit({ type: 'contact.untagged', data })
  })
  const tag = { id: 't1', label: 'VIP' }
  t.match(await lines(), [
    { kind: 'tagged', tag },
    { kind: 'untagged', tag },
  ])
})

t.test('activity lines move no conversation, count nowhere, are not searchable and notify nobody', async t => {
  const { assign, archive, inbox, ana, beto, queued, databases } = await aStage()
  const rows = () =>
    databases.read
      .selectFrom('conversation')
      .select(['unread', 'last_activity_at', 'last_message_seq', 'last_message_at', 'last_message_text'])
      .execute()
  const before = await rows()
  await assign({ userId: beto.user.id })
  await archive(true)
  await archive(false)
  t.same(await rows(), before)
  t.same(await queued(), [])
  const found = await inbox.searchMessages(ana.member, { query: { q: 'antes:2100-01-01' } })
  t.same(
    found.items.map(({ type }) => type),
    ['text'],
  )
})

t.test('a former member is named as at that time, and open tabs get all lines in one event', async t => {
  const { write, lines, beto, events } = await aStage()
  await write(async ({ db, emit }) => {
    const row = await db.selectFrom('conversation').select(['id', 'contact_id']).executeTakeFirstOrThrow()
    emit({
      type: 'conversation.assigned',
      data: {
        conversationId: row.id,
        contactId: row.contact_id,
        number: phone,
        name: 'Sofía',
        from: { userId: beto.user.id, teamId: 'gone' },
        to: { userId: null, teamId: null },
        by: systemActor('members'),
        released: true,
      },
    })
  })
  t.match(await lines(), [
    { kind: 'unassigned', assignee: { name: beto.user.name } },
    { kind: 'unassigned', team: { id: 'gone', name: null } },
  ])
  t.same(events, [])
})
