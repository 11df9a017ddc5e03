import type { Db } from '#server/platform/db/database.ts'

/** Of each of these conversations the last template that was sent since a time. */
export async function findLastTemplates(
  db: Db,
  orgId: string,
  { conversationIds, since }: { conversationIds: readonly string[]; since: string },
): Promise<string[]> {
  const found: string[] = []
  for (const conversationId of conversationIds) {
    const row = await db
      .selectFrom('message')
      .select('id')
      .where('conversation_id', '=', conversationId)
      .where('at', '>=', since)
      .where('direction', '=', 'out')
      .where('type', '=', 'template')
      .where('org_id', '=', orgId)
      .orderBy('at', 'desc')
      .orderBy('seq', 'desc')
      .limit(1)
      .executeTakeFirst()
    if (row) found.push(row.id)
  }
  return found
}
