import { sql } from 'kysely'
import t from 'tap'
import { type AnInbox, anInbox } from '#test/helpers/inbox.ts'
import { aMessage, anEcho, aStatus, lucia } from '#test/helpers/items.ts'
import { up } from '../../../../../migrations/0028-waiting-since.ts'

const numberTel = lucia.waId as string
const at = (minute: number) => `2026-11-20T12:${String(minute).padStart(2, '0')}:00.000Z`

const waitsIn = async ({ inbox, ana }: AnInbox) =>
  (await inbox.getConversation(ana.member, { params: { phone: numberTel } })).waitingSince

t.test('a customer waits since their first message that nobody answered', async t => {
  const stage = await anInbox()
  await stage.connect()
  await stage.apply(aMessage({ at: at(50) }))
  await stage.apply(aMessage({ at: at(55) }))
  t.equal(await waitsIn(stage), at(50))
  await stage.inbox.sendMessage(stage.ana.member, { body: { message: 'Hola', numberTel } })
  t.equal(await waitsIn(stage), undefined)
  await stage.apply(aMessage({ at: at(58) }))
  t.equal(await waitsIn(stage), at(58))
  await stage.apply(anEcho({ at: at(59) }))
  t.equal(await waitsIn(stage), undefined, 'the phone answered')
  await stage.apply(aMessage({ at: '2026-11-20T12:59:30.000Z' }))
  await stage.inbox.archiveChat(stage.ana.member, { body: { phoneNumber: numberTel } })
  t.equal(await waitsIn(stage), undefined, 'nobody waits in the archive')
})

t.test('a reply that failed is no answer', async t => {
  const stage = await anInbox()
  await stage.connect()
  await stage.apply(aMessage({ at: at(40) }))
  await stage.apply(anEcho({ at: at(45), wamid: 'first' }))
  await stage.apply(aMessage({ at: at(50) }))
  await stage.apply(anEcho({ at: at(55), wamid: 'second' }))
  t.equal(await waitsIn(stage), undefined)
  const events = await stage.apply(aStatus({ wamid: 'second', status: 'failed', at: at(56) }))
  t.equal(await waitsIn(stage), at(50))
  t.match(
    events.findLast(({ type }) => type === 'conversation'),
    { data: { conversation: { waitingSince: at(50) } } },
  )
  await stage.apply(aStatus({ wamid: 'first', status: 'failed', at: at(56) }))
  t.equal(await waitsIn(stage), at(40))
  await stage.apply(anEcho({ at: at(59) }))
  t.equal(await waitsIn(stage), undefined)
})

t.test('imported messages wait for nothing', async t => {
  const stage = await anInbox()
  await stage.apply(aMessage({ at: at(50), past: true }))
  t.equal(await waitsIn(stage), undefined)
})

t.test('the list of those who wait begins with the longest wait', async t => {
  const stage = await anInbox()
  const from = (waId: string, minute: number) => aMessage({ sender: { waId }, at: at(minute) })
  await stage.apply(from('5491155550001', 10), from('5491155550002', 20), from('5491155550003', 15))
  await stage.apply(from('5491155550001', 40))
  const { items } = await stage.inbox.listConversations(stage.ana.member, { query: { waiting: true } })
  t.same(
    items.map(row => row.phone),
    ['5491155550001', '5491155550003', '5491155550002'],
  )
  t.match(await stage.inbox.countLanes(stage.ana.member, { query: {} }), { waiting: { count: 3 } })
})

t.test('the migration finds since when customers wait', async t => {
  const stage = await anInbox()
  await stage.connect()
  await stage.apply(aMessage({ at: at(10) }))
  await stage.apply(anEcho({ at: at(20) }))
  await stage.apply(aMessage({ at: at(30) }))
  await stage.apply(aMessage({ at: at(40) }))
  await stage.apply(aMessage({ sender: { waId: '5491155550002' }, at: at(45) }))
  await stage.apply(anEcho({ recipient: { waId: '5491155550002' }, at: at(46) }))
  const db = stage.databases.write
  await sql`drop index conversation_waiting`.execute(db)
  await sql`alter table conversation drop column waiting_since`.execute(db)
  await up(db as never)
  const rows = await db.selectFrom('conversation').select('waiting_since').orderBy('waiting_since').execute()
  t.same(rows.map(row => row.waiting_since).filter(Boolean), [at(30)])
})
