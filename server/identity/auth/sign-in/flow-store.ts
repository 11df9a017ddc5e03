import type { Db } from '#server/platform/db/database.ts'

/** Budgets allow fewer open flows than this for one address. */
const maxOpenFlows = 50

/** Inserts a flow; asking again updates its time. */
export async function saveFlow(
  db: Db,
  flow: { id: string; addressKey: string; networkKey: string; at: string },
): Promise<void> {
  const facts = { network_key: flow.networkKey, asked_at: flow.at }
  await db
    .insertInto('sign_in_flow')
    .values({ id: flow.id, address_key: flow.addressKey, ...facts })
    .onConflict(conflict => conflict.column('id').doUpdateSet(facts))
    .execute()
}

/** The flows that asked for codes of an address after that time, newest first. */
export const listFlows = (db: Db, addressKey: string, after: string): Promise<{ id: string; networkKey: string }[]> =>
  db
    .selectFrom('sign_in_flow')
    .select(['id', 'network_key as networkKey'])
    .where('address_key', '=', addressKey)
    .where('asked_at', '>', after)
    .orderBy('asked_at', 'desc')
    .orderBy('id')
    .limit(maxOpenFlows)
    .execute()

/** Codes by identifier: keyed hash, colon, number of wrong guesses. */
export const listCodes = async (db: Db, identifiers: readonly string[]) =>
  identifiers.length
    ? db.selectFrom('verification').select(['identifier', 'value']).where('identifier', 'in', identifiers).execute()
    : []

/** Deletes the newest code of an identifier, because its mail was not sent. The person's earlier code stays valid. */
export async function deleteNewestCode(trx: Db, identifier: string): Promise<void> {
  const newest = await trx
    .selectFrom('verification')
    .select('id')
    .where('identifier', '=', identifier)
    .orderBy('createdAt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (newest) await trx.deleteFrom('verification').where('id', '=', newest.id).execute()
}
