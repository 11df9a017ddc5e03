import type { Kysely } from 'kysely'

/** A tag has a colour: one of the palette's eight hues. Those there are get them in turn. */
// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  await db.schema
    .alterTable('tag')
    .addColumn('hue', 'integer', column => column.notNull().defaultTo(0))
    .execute()
  const tags = await db.selectFrom('tag').select(['id', 'org_id']).orderBy('org_id').orderBy('created_at').execute()
  let orgId: unknown
  let nth = 0
  for (const tag of tags) {
    nth = tag.org_id === orgId ? nth + 1 : 0
    orgId = tag.org_id
    await db
      .updateTable('tag')
      .set({ hue: nth % 8 })
      .where('id', '=', tag.id)
      .execute()
  }
}
