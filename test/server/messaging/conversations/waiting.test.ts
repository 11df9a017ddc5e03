import { sql } from 'kysely'
import t from 'tap'
import { type AnInbox, anInbox } from '#test/helpers/inbox.ts'
import { aMessage, anEcho, aStatus, lucia } from '#test/helpers/items.ts'
import { up } from '../../../../migrations/0028-waiting-since.ts'

const numberTel = lucia.waId as string
const at = (minute: number) => `2026-11-20T12:${String(minute).padStart(2, '0')}:00.000Z`

const waitsIn = async ({ inbox, ana }: AnInbox) =>
  (await inbox.getConversation(ana.member, { params: { phone: numberTel } })).waitingSince

t.test('a customer waits since their first message that nobody answered', async t => {
  const room = await anInbox()
  await room.connect()
  await room.apply(aMessage({ at: at(50) }))
  await room.apply(aMessage({ at: at(55) }))
  t.equal(await waitsIn(room), at(50))
  await room.inbox.sendMessage(room.ana.member, { body: { message: 'Hola', numberTel } })
  t.equal(await waitsIn(room), undefined)
  await room.apply(aMessage({ at: at(58) }))
  t.equal(await waitsIn(room), at(58))
  await room.apply(anEcho({ at: at(59) }))
  t.equal(await waitsIn(room), undefined, 'the phone answered')
  await room.apply(aMessage({ at: '2026-11-20T12:59:30.000Z' }))
  await room.inbox.archiveChat(room.ana.member, { body: { phoneNumber: numberTel } })
  t.equal(await waitsIn(room), undefined, 'nobody waits in the archive')
})

t.test('a reply that failed is no answer', async t => {
  const room = await anInbox()
  await room.connect()
  await room.apply(aMessage({ at: at(40) }))
  await room.apply(anEcho({ at: at(45), wamid: 'first' }))
  await room.apply(aMessage({ at: at(50) }))
  await room.apply(anEcho({ at: at(55), wamid: 'second' }))
  t.equal(await waitsIn(room), undefined)
  const events = await room.apply(aStatus({ wamid: 'second', status: 'failed', at: at(56) }))
  t.equal(await waitsIn(room), at(50))
  t.match(
    events.findLast(({ type }) => type === 'conversation'),
    { data: { conversation: { waitingSince: at(50) } } },
  )
  await room.apply(aStatus({ wamid: 'first', status: 'failed', at: at(56) }))
  t.equal(await waitsIn(room), at(40))
  await room.apply(anEcho({ at: at(59) }))
  t.equal(await waitsIn(room), undefined)
})

t.test('imported messages wait for nothing', async t => {
  const room = await anInbox()
  await room.apply(aMessage({ at: at(50), past: true }))
  t.equal(await waitsIn(room), undefined)
})

t.test('the list of those who wait begins with the longest wait', async t => {
  const room = await anInbox()
  const from = (waId: string, minute: number) => aMessage({ sender: { waId }, at: at(minute) })
  await room.apply(from('5491155550001', 10), from('5491155550002', 20), from('5491155550003', 15))
  await room.apply(from('5491155550001', 40))
  const { items } = await room.inbox.listConversations(room.ana.member, { query: { waiting: true } })
  t.same(
    items.map(row => row.phone),
    ['5491155550001', '5491155550003', '5491155550002'],
  )
  t.match(await room.inbox.countLanes(room.ana.member, { query: {} }), { waiting: { count: 3 } })
})

t.test('the migration finds since when customers wait', async t => {
  const room = await anInbox()
  await room.connect()
  await room.apply(aMessage({ at: at(10) }))
  await room.apply(anEcho({ at: at(20) }))
  await room.apply(aMessage({ at: at(30) }))
  await room.apply(aMessage({ at: at(40) }))
  await room.apply(aMessage({ sender: { waId: '5491155550002' }, at: at(45) }))
  await room.apply(anEcho({ recipient: { waId: '5491155550002' }, at: at(46) }))
  const db = room.databases.write
  await sql`drop index conversation_waiting`.execute(db)
  await sql`alter table conversation drop column waiting_since`.execute(db)
  await up(db as never)
  const rows = await db.selectFrom('conversation').select('waiting_since').orderBy('waiting_since').execute()
  t.same(rows.map(row => row.waiting_since).filter(Boolean), [at(30)])
})
