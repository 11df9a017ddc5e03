import { sql } from 'kysely'
import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { belongsTo, bulkQuery, bulkWrite, lookupQuery, wholeNumber } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'

export interface AttemptRow {
  callback: string
  message_id: string
  seq: number
  /** The highest `seq` among the attempts of the same message. */
  latest: number
}

export const findAttempts = lookupQuery<{ orgId: string }, AttemptRow>((db, callbacks, { orgId }) =>
  db
    .selectFrom('message_attempt')
    .select(eb => [
      'callback',
      'message_id',
      'seq',
      eb
        .selectFrom('message_attempt as other')
        .select(other => other.fn.max('other.seq').as('seq'))
        .whereRef('other.message_id', '=', 'message_attempt.message_id')
        .$asScalar()
        .$notNull()
        .as('latest'),
    ])
    .where('org_id', '=', orgId)
    .where('callback', 'in', callbacks),
)

/** Adds the wamid that a status named to attempts whose request was never answered. */
export const settleAttempts = bulkWrite<{ seq: number; wamid: string; at: string }, { orgId: string }, never>(
  (_db, rows, { orgId }) => {
    const values = sql.join(rows.map(row => sql`(${wholeNumber(row.seq)}, ${row.wamid}, ${row.at})`))
    return sql<never>`update message_attempt set wamid = v.column2, ended_at = coalesce(message_attempt.ended_at, v.column3)
    from (values ${values}) as v where message_attempt.seq = v.column1 and ${belongsTo('message_attempt.org_id', orgId)}`
  },
  'update',
)

export interface NewAttempt {
  orgId: string
  messageId: string
  callback: string
  at: string
}

/** The attempts may belong to several organizations. */
export const insertAttempts = bulkQuery<NewAttempt, object, never>(
  (db, rows) =>
    db.insertInto('message_attempt').values(
      rows.map(row => ({
        org_id: row.orgId,
        message_id: row.messageId,
        callback: row.callback,
        started_at: row.at,
      })),
    ) as never,
)

interface AttemptEnd {
  at: string
  outcome: 'accepted' | 'failed' | 'retry' | 'unknown'
  wamid?: string
  httpStatus?: number
  errorCode?: string
  errorDetail?: string
}

/** Ends an attempt if it has not ended. Keeps a wamid that a status has already written. */
export async function endAttempt(db: Db, callback: string, end: AttemptEnd): Promise<void> {
  await db
    .updateTable('message_attempt')
    .set({
      ended_at: end.at,
      outcome: end.outcome,
      http_status: end.httpStatus ?? null,
      error_code: end.errorCode ?? null,
      error_detail: end.errorDetail ?? null,
      ...(end.wamid ? { wamid: end.wamid } : {}),
    })
    .where('callback', '=', callback)
    .where('ended_at', 'is', null)
    .execute()
}

/** Ends attempts that WhatsApp accepted, if they have not ended. */
export const acceptAttempts = bulkQuery<{ callback: string; wamid: string }, { at: string }, never>(
  (_db, rows, { at }) => {
    const values = sql.join(rows.map(row => sql`(${row.callback}, ${row.wamid})`))
    return sql<never>`update message_attempt set ended_at = ${at}, outcome = 'accepted', http_status = 200, wamid = v.column2
      from (values ${values}) as v where message_attempt.callback = v.column1 and message_attempt.ended_at is null`
  },
  'update',
)

/** Ends the attempts that a dead process left open. Their outcome is unknown. */
export async function endOpenAttempts(db: Db, messageId: string, at: string): Promise<void> {
  await db
    .updateTable('message_attempt')
    .set({ ended_at: at, outcome: 'unknown' })
    .where('message_id', '=', messageId)
    .where('ended_at', 'is', null)
    .execute()
}

/**
 * Returns the messages whose request may have left: it is in flight, its outcome is unknown, or WhatsApp accepted it.
 */
export const findBegun = lookupQuery<object, { message_id: string }>((db, messageIds) =>
  db
    .selectFrom('message_attempt')
    .select('message_id')
    .where('message_id', 'in', messageIds)
    .where(eb => eb.or([eb('outcome', 'is', null), eb('outcome', 'in', ['unknown', 'accepted'])])),
)

/** Deletes an attempt whose request was never made. */
export async function dropAttempt(db: Db, callback: string): Promise<void> {
  await db.deleteFrom('message_attempt').where('callback', '=', callback).where('ended_at', 'is', null).execute()
}

export interface AttemptFacts {
  readonly startedAt: string
  readonly endedAt: string | null
  /** `open`: WhatsApp has not answered yet. */
  readonly outcome: 'open' | AttemptEnd['outcome']
  readonly httpStatus: number | null
  readonly errorCode: string | null
  /** WhatsApp's own error text. */
  readonly detail: string | null
}

/** The last attempts of a message, oldest first. */
export async function listAttempts(
  db: Db,
  { orgId, scope }: Viewer,
  { messageId, limit }: { messageId: string; limit: number },
): Promise<AttemptFacts[]> {
  const rows = await db
    .selectFrom('message_attempt')
    .innerJoin('message', 'message.id', 'message_attempt.message_id')
    .select([
      'started_at',
      'ended_at',
      'outcome',
      'http_status',
      'message_attempt.error_code',
      'message_attempt.error_detail',
    ])
    .where('message_attempt.message_id', '=', messageId)
    .where('message_attempt.org_id', '=', orgId)
    .where(seenThrough(scope, 'message.conversation_id'))
    .orderBy('message_attempt.seq', 'desc')
    .limit(limit)
    .execute()
  return rows.reverse().map(row => ({
    startedAt: row.started_at,
    endedAt: row.ended_at,
    outcome: (row.outcome ?? 'open') as AttemptFacts['outcome'],
    httpStatus: row.http_status,
    errorCode: row.error_code,
    detail: row.error_detail,
  }))
}
