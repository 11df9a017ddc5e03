import { type Kysely, sql } from 'kysely'

/** Whether a contact is a group is a fact of its own. It was told by a name like `Grupo …`, with nobody's number behind it. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema
    .alterTable('contact')
    .addColumn('is_group', 'integer', c => c.notNull().defaultTo(0))
    .execute()
  await sql`update contact set is_group = 1
    where wa_id is null and bsuid is null and username is null and profile_name like 'Grupo %'
      and exists (select 1 from contact_identity where contact_id = contact.id and kind = 'other' and value like 'group %')`.execute(
    db,
  )
}
