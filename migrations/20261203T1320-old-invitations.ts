import type { Kysely } from 'kysely'

/** A way to the invitations that ended long ago. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await db.schema.createIndex('invitation_end').on('invitation').column('expiresAt').execute()
}
