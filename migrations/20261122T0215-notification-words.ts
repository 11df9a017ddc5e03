import type { Kysely } from 'kysely'

// biome-ignore lint/suspicious/noExplicitAny: a migration is frozen in time and must not know today's tables
export async function up(db: Kysely<any>): Promise<void> {
  // From now on a notification is its key and parameters; those that have none keep the text they were written with.
  await db.schema.alterTable('notification').addColumn('old_title', 'text').execute()
  await db.schema.alterTable('notification').addColumn('old_message', 'text').execute()
  await db
    .updateTable('notification')
    .set(eb => ({ old_title: eb.ref('title'), old_message: eb.ref('message') }))
    .where('words', 'is', null)
    .execute()
  await db.schema.alterTable('notification').dropColumn('title').execute()
  await db.schema.alterTable('notification').dropColumn('message').execute()
  // A push is said in the language in which its browser asked for it.
  await db.schema
    .alterTable('push_subscription')
    .addColumn('language', 'text', c => c.notNull().defaultTo('es'))
    .execute()
}
