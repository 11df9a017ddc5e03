import type { Db } from '#server/platform/db/database.ts'
import { longestWindowMs } from '../sign-in/budget.ts'

const flowsKeptMs = 3_600_000

const invitationsKeptMs = 365 * 24 * 3_600_000

/**
 * Deletes up to `limit` expired rows of each kind: sessions, codes and their flows, counters, trusted browsers,
 * unfinished set-ups. Returns how many rows; fewer than `limit` means nothing is left.
 */
export async function deleteEnded(trx: Db, at: Date, limit: number): Promise<number> {
  const now = at.toISOString()
  const oldestInvitation = new Date(at.getTime() - invitationsKeptMs).toISOString()
  const oldestFlow = new Date(at.getTime() - flowsKeptMs).toISOString()
  const farthestWindow = new Date(at.getTime() + longestWindowMs + flowsKeptMs).toISOString()
  const counts = [
    await trx
      .deleteFrom('session')
      .where('id', 'in', db => db.selectFrom('session').select('id').where('expiresAt', '<', now).limit(limit))
      .executeTakeFirst(),
    await trx
      .deleteFrom('verification')
      .where('id', 'in', db => db.selectFrom('verification').select('id').where('expiresAt', '<', now).limit(limit))
      .executeTakeFirst(),
    await trx
      .deleteFrom('sign_in_budget')
      .where('key', 'in', db =>
        db
          .selectFrom('sign_in_budget')
          .select('key')
          // A window that ends later than any window can was started by a clock that was wrong.
          .where(eb => eb.or([eb('window_ends_at', '<', now), eb('window_ends_at', '>', farthestWindow)]))
          .limit(limit),
      )
      .executeTakeFirst(),
    await trx
      .deleteFrom('sign_in_flow')
      .where('id', 'in', db =>
        db.selectFrom('sign_in_flow').select('id').where('asked_at', '<', oldestFlow).limit(limit),
      )
      .executeTakeFirst(),
    await trx
      .deleteFrom('trusted_device')
      .where('id', 'in', db => db.selectFrom('trusted_device').select('id').where('expires_at', '<', now).limit(limit))
      .executeTakeFirst(),
    // An invitation that was not accepted is listed for this long.
    await trx
      .deleteFrom('invitation')
      .where('id', 'in', db =>
        db.selectFrom('invitation').select('id').where('expiresAt', '<', oldestInvitation).limit(limit),
      )
      .executeTakeFirst(),
    await trx
      .deleteFrom('sso_attempt')
      .where('state_hash', 'in', db =>
        db.selectFrom('sso_attempt').select('state_hash').where('expires_at', '<', now).limit(limit),
      )
      .executeTakeFirst(),
    await trx
      .deleteFrom('second_factor_setup')
      .where('session_id', 'in', db =>
        db.selectFrom('second_factor_setup').select('session_id').where('expires_at', '<', now).limit(limit),
      )
      .executeTakeFirst(),
  ]
  return counts.reduce((sum, { numDeletedRows }) => sum + Number(numDeletedRows), 0)
}
