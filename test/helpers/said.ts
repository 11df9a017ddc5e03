import type { Databases } from '#server/db.ts'

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
  const insert = databases.raw.write.prepare(
    `insert into message (${Object.keys(message).join(', ')}) values (${Object.keys(message)
      .map(() => '?')
      .join(', ')})`,
  )
  const ids = texts.map((_, i) => `said-${seq}-${i}`)
  databases.raw.write.transaction(() => {
    for (const [i, text] of texts.entries())
      insert.run(Object.values({ ...message, id: ids[i], wamid: ids[i], client_key: null, text, revoked_at: null }))
  })()
  return ids
}
