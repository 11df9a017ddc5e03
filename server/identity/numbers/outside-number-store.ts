import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

/** The `phone_number_id` of the row below, which no number of Meta has. */
export const outsideId = 'upstream'

/** Inserts the row unless there is one. Returns its id. */
export async function insertOutsideNumber(db: OrgDb, orgId: string, made: { id: string; at: string }): Promise<string> {
  const find = () =>
    db
      .selectFrom('wa_connection')
      .select('id')
      .where('org_id', '=', orgId)
      .where('phone_number_id', '=', outsideId)
      .executeTakeFirst()
  const known = await find()
  if (known) return known.id
  await db
    .insertInto('wa_connection')
    .values({
      id: made.id,
      org_id: orgId,
      kind: 'cloud',
      phone_number_id: outsideId,
      verified_name: null,
      status: 'connected',
      status_reason: null,
      last_webhook_at: null,
      place: 0,
      waba_id: '',
      phone: '',
      access_token_sealed: '',
      app_secret_sealed: '',
      verify_token_sealed: '',
      created_at: made.at,
      updated_at: made.at,
      disconnected_at: made.at,
    })
    .execute()
  return made.id
}

const selectConnected = hotQuery<{ orgId: string }, { id: string }>(
  (db, p) =>
    db
      .selectFrom('wa_connection')
      .select('id')
      .where('org_id', '=', p.orgId)
      .where('disconnected_at', 'is', null)
      .limit(1) as never,
)

/** The row of a number that another system operates does not count. */
export const hasConnectedNumber = async (db: Db, orgId: string): Promise<boolean> =>
  (await selectConnected(db, { orgId })).length > 0
