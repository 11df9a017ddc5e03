import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { StoredRecipe } from './recipe.ts'

/** Undefined: a test, or a send from before recipes were stored. */
export async function findRecipe(db: Db, orgId: string, id: string): Promise<StoredRecipe | undefined> {
  const row = await db
    .selectFrom('bulk_send')
    .select('recipe')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.recipe ? JSON.parse(row.recipe) : undefined
}

/** The send of a recipient's message. */
export async function findSendIdOf(db: Db, orgId: string, messageId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('bulk_recipient')
    .select('send_id')
    .where('id', '=', messageId)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .executeTakeFirst()
  return row?.send_id
}
