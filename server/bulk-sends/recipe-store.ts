import type { Db } from '../db.ts'
import type { StoredRecipe } from './recipe.ts'

/** Undefined: a test, or a send from before any was kept. */
export async function findRecipe(db: Db, orgId: string, id: string): Promise<StoredRecipe | undefined> {
  const row = await db
    .selectFrom('bulk_send')
    .select('recipe')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirst()
  return row?.recipe ? JSON.parse(row.recipe) : undefined
}
