import t from 'tap'
import { aMember } from '#test/helpers/actors.ts'
import { anOldDatabase } from '#test/helpers/old-database.ts'

const at = '2026-11-20T12:00:00.000Z'

t.test('of conversations from before, whoever of the team had the last word has what is nobody’s', async t => {
  const { databases, upgrade } = await anOldDatabase(t, '20261201T1320')
  const { org, user } = await aMember({ databases })
  const { write, read } = databases
  const say = async (conversationId: string, author: 'person' | 'bot' | null) => {
    const own = {
      id: `m-${conversationId}`,
      org_id: org.id,
      conversation_id: conversationId,
      type: 'text',
      text: 'Hola',
    }
    const by = { author_kind: author, author_id: author === 'person' ? user.id : author }
    const row = { ...own, ...by, direction: author ? 'out' : 'in', at, status: author ? 'sent' : 'received' }
    const { seq } = await write
      .insertInto('message')
      .values(row as never)
      .returning('seq')
      .executeTakeFirstOrThrow()
    await write.updateTable('conversation').set({ last_message_seq: seq }).where('id', '=', conversationId).execute()
  }
  const cases = [
    ['answered', { control: 'human', assignee_id: null }, 'person', user.id],
    ['assigned', { control: 'human', assignee_id: user.id }, 'person', null],
    ['given back', { control: 'bot', assignee_id: null }, 'person', null],
    ['waiting', { control: 'human', assignee_id: null }, null, null],
    ['by the bot', { control: 'human', assignee_id: null }, 'bot', null],
    ['silent', { control: 'human', assignee_id: null }, undefined, null],
  ] as const
  for (const [id, state, author] of cases) {
    const contact = { id, org_id: org.id, search: '', created_at: at, updated_at: at }
    await write
      .insertInto('contact')
      .values(contact as never)
      .execute()
    const row = {
      id,
      org_id: org.id,
      contact_id: id,
      connection_id: 'n',
      ...state,
      last_activity_at: at,
      created_at: at,
    }
    await write
      .insertInto('conversation')
      .values(row as never)
      .execute()
    if (author !== undefined) await say(id, author)
  }
  await upgrade()
  const rows = await read.selectFrom('conversation').select(['id', 'taken_by']).execute()
  t.same(new Map(rows.map(row => [row.id, row.taken_by])), new Map(cases.map(([id, , , takenBy]) => [id, takenBy])))
})
