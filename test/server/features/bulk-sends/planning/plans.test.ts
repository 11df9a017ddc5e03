import { type Compilable, sql } from 'kysely'
import t from 'tap'
import { selectAgain } from '#server/features/bulk-sends/audience/again-store.ts'
import { findByPhone } from '#server/features/bulk-sends/audience/audience-store.ts'
import { selectSeen } from '#server/features/bulk-sends/reports/list-store.ts'
import { selectShareable, selectWaiting } from '#server/features/bulk-sends/rights/rights-store.ts'
import { findContacts } from '#server/messaging/directory/contact-store.ts'
import { freshDatabases } from '#test/helpers/db.ts'

const databases = await freshDatabases()
t.teardown(() => databases.close())
const { read } = databases

const planOf = async (query: Compilable): Promise<string> => {
  const { sql: text, parameters } = query.compile()
  const plan = databases.raw.read.prepare(`explain query plan ${text}`).all(...(parameters as unknown[]))
  return (plan as { detail: string }[]).map(({ detail }) => detail).join('\n')
}

t.test('the next recipients, the outcomes and the answers are read from an index', async t => {
  const recipients = read.selectFrom('bulk_recipient').select('id')
  const planned = recipients.where('send_id', '=', 's').where('state', '=', 'planned').orderBy('place').limit(20)
  t.match(await planOf(planned), /USING (COVERING )?INDEX bulk_recipient_state \(send_id=\? AND state=\?\)$/)
  const inOrder = recipients.where('send_id', '=', 's').orderBy('place').limit(51)
  t.match(
    await planOf(inOrder),
    /bulk_recipient_place \(send_id=\?\)$|bulk_recipient_\d \(send_id=\?\)$|autoindex_bulk_recipient_\d \(send_id=\?\)$/,
  )
  const reasons = read
    .selectFrom('bulk_recipient')
    .select(['state', 'reason', eb => eb.fn.countAll().as('count')])
    .where('send_id', '=', 's')
    .where('state', 'in', ['failed', 'omitted'])
    .where('reason', 'is not', null)
    .groupBy(['state', 'reason'])
  t.match(await planOf(reasons), /bulk_recipient_reason \(send_id=\? AND state=\?/)
  const alike = recipients.where('send_id', '=', 's').where('state', '=', 'omitted').where('reason', '=', 'duplicate')
  t.match(
    await planOf(alike.where('reason', 'is not', null).orderBy('place').limit(51)),
    /bulk_recipient_reason \(send_id=\? AND state=\? AND reason=\?\)$/,
  )
  const answers = recipients.where('conversation_id', 'in', ['a', 'b']).where('handed_at', '>', sql.val('2026'))
  t.match(await planOf(answers), /bulk_recipient_conversation \(conversation_id=\? AND handed_at>\?\)/)
  const marketing = read
    .selectFrom('conversation')
    .innerJoin('bulk_recipient', 'bulk_recipient.conversation_id', 'conversation.id')
    .select(['conversation.contact_id', eb => eb.fn.countAll().as('count')])
    .where('conversation.contact_id', 'in', ['a', 'b'])
    .where('bulk_recipient.marketing_at', '>', sql.val('2026'))
    .groupBy('conversation.contact_id')
  t.match(await planOf(marketing), /autoindex_conversation_\d \(contact_id=\?\)/)
  t.match(await planOf(marketing), /bulk_recipient_marketing \(conversation_id=\? AND marketing_at>\?\)/)
  const justSent = read
    .selectFrom('conversation')
    .innerJoin('bulk_recipient', 'bulk_recipient.conversation_id', 'conversation.id')
    .select('conversation.contact_id')
    .where('conversation.contact_id', 'in', ['a', 'b'])
    .where('bulk_recipient.handed_at', '>', sql.val('2026'))
    .where('bulk_recipient.state', 'in', ['queued', 'sent'])
  t.match(await planOf(justSent), /bulk_recipient_conversation \(conversation_id=\? AND handed_at>\?\)/)
  const running = read
    .selectFrom('bulk_send')
    .select('planned')
    .where('connection_id', '=', 'c')
    .where('state', '=', 'running')
  t.match(await planOf(running), /bulk_send_state \(connection_id=\? AND state=\?\)/)
  const window = read.selectFrom('contact').select('id').where('org_id', '=', 'o').where('id', '>', 'c').orderBy('id')
  t.match(await planOf(window.limit(200)), /contact_list \(org_id=\? AND id>\?\)$/)
  const segments = read.selectFrom('audience_segment').select('label').where('org_id', '=', 'o').orderBy('id').limit(9)
  t.match(await planOf(segments), /audience_segment_org \(org_id=\?\)$/)
  const lately = read.selectFrom('opened_person').select('contact_id').where('org_id', '=', 'o')
  t.match(
    await planOf(lately.where('opened_at', '>', sql.val('2026'))),
    /opened_person_lately \(org_id=\? AND opened_at>\?\)$/,
  )
  const same = selectAgain(read, 'o', 's', { after: -1, limit: 100 })
  t.match(await planOf(same), /autoindex_bulk_recipient_\d \(send_id=\? AND place>\?\)$/)
  const byState = read
    .selectFrom('bulk_send')
    .select(['state', eb => eb.fn.countAll().as('count')])
    .where('org_id', '=', 'o')
    .where('is_test', '=', 0)
    .groupBy('state')
  t.match(await planOf(byState), /USING COVERING INDEX bulk_send_counted \(org_id=\? AND is_test=\?\)$/)
  t.match(await planOf(byState.where('creator_id', '=', 'u')), /COVERING INDEX bulk_send_(own|counted)/)
  const newest = read.selectFrom('bulk_send').select('id').where('org_id', '=', 'o').orderBy('id', 'desc').limit(31)
  t.match(await planOf(newest), /bulk_send_newest \(org_id=\?\)$/)
})

t.test('for a limited role each state of its own and of shared sends is one index range', async t => {
  const all = await planOf(selectSeen(read, 'o', 'u', { offset: 0, limit: 31 }))
  t.equal(all.match(/bulk_send_own \(org_id=\? AND creator_id=\? AND is_test=\? AND state=\?\)/g)?.length, 8)
  t.equal(all.match(/bulk_send_shared \(org_id=\? AND is_shared=\? AND state=\?\)/g)?.length, 8)
  t.notMatch(all, /SCAN bulk_send/)
  const counted = read
    .selectFrom('bulk_send')
    .select(['state', eb => eb.fn.countAll().as('count')])
    .where('org_id', '=', 'o')
    .where('is_shared', '=', 1)
    .where('creator_id', '<>', 'u')
    .groupBy('state')
  t.match(await planOf(counted), /USING COVERING INDEX bulk_send_shared \(org_id=\? AND is_shared=\?\)$/)
  const waiting = await planOf(selectWaiting(read, 'o', { after: '', limit: 50 }))
  t.match(waiting, /SEARCH bulk_send USING INDEX bulk_send_(newest|counted|shared)/)
  const shareable = await planOf(selectShareable(read, 'o', { after: '', limit: 200 }))
  t.match(shareable, /SEARCH bulk_send USING INDEX bulk_send_newest \(org_id=\? AND id>\?\)$/)
})

t.test('recipients are looked up by number even if the statistics are from a small table', async t => {
  const { write, read: reading } = databases.raw
  write.exec("insert into organization (id, name, slug, createdAt) values ('o', 'O', 'o', '2026')")
  for (let i = 0; i < 20; i += 1) {
    write.exec(`insert into contact (id, org_id, created_at, updated_at) values ('c${i}', 'o', '2026', '2026')`)
    write.exec(`insert into contact_identity (org_id, kind, match_key, value, contact_id, seen_at)
      values ('o', 'phone', '54911${i}', '54911${i}', 'c${i}', '2026')`)
  }
  write.exec('analyze')
  const said: string[] = []
  const prepare = reading.prepare.bind(reading)
  t.intercept(reading, 'prepare', { value: (text: string) => said.push(text) && prepare(text), configurable: true })
  const keys = Array.from({ length: 200 }, (_, i) => `54911${i}`)
  t.equal((await findByPhone(read, keys, { orgId: 'o' })).length, 20)
  t.equal((await findContacts.byKey(read, keys, { orgId: 'o', kind: 'phone' })).length, 20)
  t.ok(said.length)
  for (const text of said) {
    const plan = prepare(`explain query plan ${text}`).all(...(text.match(/\?/g) ?? []).map(() => 'x'))
    const details = (plan as { detail: string }[]).map(({ detail }) => detail)
    t.ok(details.some(one => /\(org_id=\? AND kind=\? AND match_key=\?\)$/.test(one)))
    t.notOk(details.some(one => /^SCAN (contact|asked|every)/.test(one)))
  }
})
