import { sql } from 'kysely'
import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { anInbox } from '#test/helpers/inbox.ts'
import { aMessage } from '#test/helpers/items.ts'
import { up } from '../../../../migrations/0024-one-assignee.ts'

t.test('the migration assigns a conversation to the member who answered it, if they are still one', async t => {
  const { databases, ana, apply } = await anInbox()
  const beto = await aMember({ databases, org: ana.org, role: 'member' })
  const db = databases.write
  await sql`alter table org_settings drop column assign_on_reply`.execute(db)
  await sql`alter table conversation add column taken_by text`.execute(db)
  const cases = [
    { control: 'human', taker: ana.user.id, before: null, assignee: null, wanted: ana.user.id },
    { control: 'none', taker: ana.user.id, before: 'human', assignee: null, wanted: ana.user.id },
    { control: 'human', taker: ana.user.id, before: null, assignee: beto.user.id, wanted: beto.user.id },
    { control: 'human', taker: 'left', before: null, assignee: null, wanted: null },
    { control: 'human', taker: null, before: null, assignee: null, wanted: null },
    { control: 'needsHuman', taker: ana.user.id, before: null, assignee: null, wanted: null },
    { control: 'bot', taker: ana.user.id, before: null, assignee: null, wanted: null },
  ]
  for (const [i, { control, taker, before, assignee }] of cases.entries()) {
    const waId = `549115500010${i}`
    await apply(aMessage({ sender: { waId } }))
    await sql`update conversation set control = ${control}, taken_by = ${taker}, control_before_archive = ${before},
      assignee_id = ${assignee}
      where contact_id = (select id from contact where wa_id = ${waId})`.execute(db)
  }
  const contact = await db.selectFrom('contact').select('id').executeTakeFirstOrThrow()
  const merge = {
    id: 'm',
    org_id: ana.org.id,
    contact_id: contact.id,
    name: 'x',
    by_name: 'y',
    merged_at: 'z',
    undo_until: 'z',
  }
  const moved = { gone: { conversations: [{ id: 'a', taken_by: 'b' }] }, messages: 3 }
  await db
    .insertInto('contact_merge')
    .values({ ...merge, moved: JSON.stringify(moved) })
    .execute()
  await up(db as never)
  for (const [i, { wanted }] of cases.entries()) {
    const row = await db
      .selectFrom('conversation')
      .innerJoin('contact', 'contact.id', 'conversation.contact_id')
      .select('assignee_id')
      .where('wa_id', '=', `549115500010${i}`)
      .executeTakeFirstOrThrow()
    t.equal(row.assignee_id, wanted, JSON.stringify(cases[i]))
  }
  const kept = await db.selectFrom('contact_merge').select('moved').executeTakeFirstOrThrow()
  t.same(JSON.parse(kept.moved ?? ''), { gone: { conversations: [{ id: 'a' }] }, messages: 3 })
})
