import { type Databases, inTransaction } from '#server/platform/db/db.ts'

/** Adds messages like the newest one of an organization, each with its text; answers their ids. */
export async function say(databases: Databases, orgId: string, texts: readonly string[]): Promise<string[]> {
  const [template] = await databases.read
    .selectFrom('message')
    .selectAll()
    .where('org_id', '=', orgId)
    .orderBy('seq', 'desc')
    .limit(1)
    .execute()
  if (!template) throw new Error('An organization without a message has none to copy')
  const { seq, ...message } = template
  const ids = texts.map((_, i) => `said-${seq}-${i}`)
  const rows = texts.map((text, i) => {
    const id = ids[i] as string
    return { ...message, id, wamid: id, client_key: null, text, revoked_at: null }
  })
  await inTransaction(databases, async trx => {
    // As many at once as both engines take values for.
    for (let i = 0; i < rows.length; i += 100)
      await trx
        .insertInto('message')
        .values(rows.slice(i, i + 100))
        .execute()
  })
  return ids
}
