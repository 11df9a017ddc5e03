import type { Db } from '#server/platform/db/database.ts'
import { longestWindowMs } from './budget.ts'

const flowsKeptMs = 3_600_000

const invitationsKeptMs = 365 * 24 * 3_600_000

/** Deletes up to so many of each that has ended: sessions, codes nobody used and who asked for them, counted tries, trust in browsers, set-ups. Answers how many rows went: fewer, then all have. */
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
          // What ends later than any window can was counted by a clock that ran ahead.
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
    // Whoever was invited and did not come sees it that long; who did come is a member.
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
