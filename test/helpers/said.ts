import { type Databases, inTransaction } from '#server/platform/db/db.ts'

/** Inserts copies of an organization's newest message, each with its own text. Returns their ids. */
export async function say(databases: Databases, orgId: string, texts: readonly string[]): Promise<string[]> {
  const [template] = await databases.read
    .selectFrom('message')
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy('seq', 'desc')
    .limit(1)
    .execute()
  if (!template) throw new Error('The organization has no message that could be copied')
  const { seq, ...message } = template
  const ids = texts.map((_, i) => `said-${seq}-${i}`)
  const rows = texts.map((text, i) => {
    const id = ids[i] as string
    return { ...message, id, wamid: id, client_key: null, text, revoked_at: null }
  })
  await inTransaction(databases, async trx => {
    // Below both engines' limit of values in one statement.
    for (let i = 0; i < rows.length; i += 100)
      await trx
        .insertInto('message')
        .values(rows.slice(i, i + 100))
        .execute()
  })
  return ids
}
