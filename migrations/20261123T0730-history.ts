import { type Kysely, sql } from 'kysely'

const rowsAtOnce = 200

/**
 * What was done and may be done again: bulk sends, of which each stands in it from birth, and what programs and people note
 * beside.
 */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .createTable('history_entry')
    // Of a bulk send its own.
    .addColumn('id', 'text', c => c.primaryKey())
    .addColumn('org_id', 'text', c => c.notNull().references('organization.id').onDelete('cascade'))
    .addColumn('kind', 'text', c => c.notNull())
    // A person, or a key.
    .addColumn('author_id', 'text', c => c.notNull())
    .addColumn('author_name', 'text', c => c.notNull())
    .addColumn('is_send', 'integer', c => c.notNull())
    .addColumn('title', 'text', c => c.notNull())
    .addColumn('summary', 'text', c => c.notNull())
    // Title and summary, folded.
    .addColumn('search_text', 'text', c => c.notNull())
    // JSON
    .addColumn('payload', 'text', c => c.notNull())
    .addColumn('client_key', 'text')
    .addColumn('created_at', 'text', c => c.notNull())
    .addColumn('hidden_at', 'text')
    .execute()
  for (let after = ''; ; ) {
    const sends = await db
      .selectFrom('bulk_send')
      .select(['id', 'org_id', 'creator_id', 'author_name', 'template', 'created_at'])
      .where('is_test', '=', 0)
      .where('id', '>', after)
      .orderBy('id')
      .limit(rowsAtOnce)
      .execute()
    if (!sends.length) break
    await db
      .insertInto('history_entry')
      .values(
        sends.map(send => {
          const { name = '' } = JSON.parse(send.template) as { name?: string }
          return {
            id: send.id,
            org_id: send.org_id,
            kind: 'masive',
            author_id: send.creator_id,
            author_name: send.author_name,
            is_send: 1,
            title: name,
            summary: '',
            search_text: name.toLowerCase(),
            payload: '{}',
            client_key: null,
            created_at: send.created_at,
            hidden_at: null,
          }
        }),
      )
      .execute()
    after = sends.at(-1)?.id
  }
  await db.schema
    .createIndex('history_entry_list')
    .on('history_entry')
    .columns(['org_id', 'kind', 'id'])
    .where(sql.ref('hidden_at'), 'is', sql.lit(null))
    .execute()
  await db.schema
    .createIndex('history_entry_key')
    .on('history_entry')
    .columns(['org_id', 'author_id', 'client_key'])
    .where(sql.ref('client_key'), 'is not', sql.lit(null))
    .execute()
}
