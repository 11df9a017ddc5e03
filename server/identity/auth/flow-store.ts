import type { Db } from '#server/platform/db/database.ts'

/** More codes than this are never open for one address: budgets of sending stop earlier. */
const maxOpenFlows = 50

/** Notes that a code was asked for; asking again moves its time. */
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

/** Who asked for codes of an address after that time, newest first. */
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

/** Codes that lie under these identifiers: keyed hash, colon, wrong guesses so far. */
export const listCodes = async (db: Db, identifiers: readonly string[]) =>
  identifiers.length
    ? db.selectFrom('verification').select(['identifier', 'value']).where('identifier', 'in', identifiers).execute()
    : []

/** Takes back the newest code under an identifier: its mail did not go out, so the one in the person's hands stays good. */
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
