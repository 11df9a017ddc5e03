import t from 'tap'
import { anOldDatabase } from '#test/helpers/old-database.ts'

const day = (n: number) => `2026-11-${String(n).padStart(2, '0')}T12:00:00.000Z`
const never = '1970-01-01T00:00:00.000Z'

t.test(
  'rows that showed a bulk send show what was said before it, and those of nothing else leave the list',
  async t => {
    const old = await anOldDatabase(t, '20261202T0800')
    await old.insert('organization', { id: 'o', name: 'O', slug: 'o', createdAt: day(1) })
    let seq = 0
    const conversation = async (
      id: string,
      messages: readonly { text: string; at: string; bulk?: true }[],
      row: Readonly<Record<string, unknown>> = {},
    ) => {
      const contact = { id: `contact-${id}`, org_id: 'o', created_at: day(1), updated_at: day(1) }
      await old.insert('contact', contact)
      const facts = { id, org_id: 'o', contact_id: contact.id, control: 'none', created_at: day(1) }
      await old.insert('conversation', { ...facts, connection_id: 'number', kind: 'sandbox', last_activity_at: day(1) })
      for (const { text, at, bulk } of messages) {
        seq += 1
        await old.insert('message', {
          ...{ seq, id: `m${seq}`, org_id: 'o', conversation_id: id, text, at },
          ...(bulk
            ? { direction: 'out', type: 'template', status: 'sent', author_kind: 'bulk' }
            : { direction: 'in', type: 'text', status: 'received' }),
        })
      }
      const last = messages.at(-1)
      await old.databases.write
        .updateTable('conversation')
        .set({
          ...{ last_message_seq: seq, last_message_at: last?.at, last_message_text: last?.text },
          ...{ last_message_type: last?.bulk ? 'template' : 'text', last_message_direction: last?.bulk ? 'out' : 'in' },
          ...{ last_message_status: last?.bulk ? 'sent' : 'received', ...row },
        })
        .where('id', '=', id)
        .execute()
    }
    const question = { text: '¿Tienen turno?', at: day(2) }
    const offer = { text: 'Oferta', at: day(9), bulk: true as const }
    await conversation('hidden', [question, { ...offer, at: day(8) }, offer], { last_activity_at: day(2), unread: 1 })
    await conversation('moved', [question, offer], { last_activity_at: day(9) })
    await conversation('only', [offer], { last_activity_at: day(9) })
    await conversation('answered', [offer, { text: 'Hola', at: day(10) }], { last_activity_at: day(10), unread: 1 })
    await old.upgrade()
    const rows = await old.databases.read
      .selectFrom('conversation')
      .select(['id', 'last_message_text', 'last_message_at', 'last_message_direction', 'last_message_status'])
      .select(['last_message_type', 'last_message_seq', 'last_activity_at', 'unread'])
      .orderBy('id')
      .execute()
    const asked = {
      ...{ last_message_text: question.text, last_message_at: day(2), last_message_direction: 'in' },
      ...{ last_message_type: 'text', last_message_status: 'received', last_activity_at: day(2) },
    }
    t.match(rows, [
      { id: 'answered', last_message_text: 'Hola', last_activity_at: day(10) },
      { id: 'hidden', ...asked, last_message_seq: 1, unread: 1 },
      { id: 'moved', ...asked, last_message_seq: 4 },
      { id: 'only', last_message_text: 'Oferta', last_activity_at: never },
    ])
  },
)
