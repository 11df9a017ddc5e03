import { sql } from 'kysely'
import type { Db } from '../db.ts'
import type { OutboxTable } from './table.ts'

export interface NewOutboxRow {
  conversationId: string
  messageId: string | null
  kind: OutboxTable['kind']
  targetWamid: string | null
  at: string
}

/** A row that is due, with what its call needs. */
export interface DueRow {
  seq: number
  orgId: string
  conversationId: string
  kind: OutboxTable['kind']
  messageId: string | null
  targetWamid: string | null
  attempts: number
  dueAt: string
  /** The message, null for other kinds. */
  message: { text: string; type: string; isWaiting: boolean; replyToWamid: string | null } | null
  /** Digits or business-scoped id; null when the contact has neither. */
  to: string | null
  /** The customer has never written, so the spelling of the number is a guess. */
  isUnconfirmedContact: boolean
  /** Error code of the message's last attempt. */
  lastErrorCode: string | null
}

export async function insertOutboxRow(db: Db, orgId: string, row: NewOutboxRow): Promise<void> {
  await db
    .insertInto('outbox')
    .values({
      org_id: orgId,
      conversation_id: row.conversationId,
      message_id: row.messageId,
      kind: row.kind,
      target_wamid: row.targetWamid,
      state: 'queued',
      attempts: 0,
      due_at: row.at,
      updated_at: row.at,
    })
    .execute()
}

/** Takes back receipts that a newer one of the same conversation makes pointless. */
export async function dropQueuedReceipts(
  db: Db,
  orgId: string,
  conversationId: string,
  kind: 'read' | 'typing',
): Promise<void> {
  await db
    .deleteFrom('outbox')
    .where('org_id', '=', orgId)
    .where('conversation_id', '=', conversationId)
    .where('kind', '=', kind)
    .where('state', '=', 'queued')
    .execute()
}

// The last condition says nothing new; without it SQLite would not use the index, which leaves out what is done.
const beforeIt = sql<boolean>`exists (
  select 1 from outbox as earlier
  where earlier.conversation_id = outbox.conversation_id and earlier.seq < outbox.seq
    and earlier.kind = 'message' and earlier.state in ('queued', 'inFlight') and earlier.state != 'done'
)`

/**
 * Rows whose time has come, oldest first, across organizations; of each conversation's messages only the first. An
 * organization in `except` has no room left.
 */
export async function listDue(db: Db, now: string, except: readonly string[], limit: number): Promise<DueRow[]> {
  let query = db
    .selectFrom('outbox')
    .leftJoin('message', 'message.id', 'outbox.message_id')
    .innerJoin('conversation', 'conversation.id', 'outbox.conversation_id')
    .innerJoin('contact', 'contact.id', 'conversation.contact_id')
    .select([
      'outbox.seq',
      'outbox.org_id',
      'outbox.conversation_id',
      'outbox.kind',
      'outbox.message_id',
      'outbox.target_wamid',
      'outbox.attempts',
      'outbox.due_at',
      'message.text',
      'message.type',
      'message.status',
      'message.wamid',
      'message.reply_to_wamid',
      'contact.wa_id',
      'contact.bsuid',
      'conversation.last_inbound_wamid',
    ])
    .select(eb =>
      eb
        .selectFrom('message_attempt')
        .select('error_code')
        .whereRef('message_id', '=', 'outbox.message_id')
        .orderBy('seq', 'desc')
        .limit(1)
        .as('last_error_code'),
    )
    .where('outbox.state', '=', 'queued')
    .where('outbox.due_at', '<=', now)
    .where(eb => eb.or([eb('outbox.kind', '!=', 'message'), eb.not(beforeIt)]))
    .orderBy('outbox.due_at')
    .orderBy('outbox.seq')
    .limit(limit)
  if (except.length) query = query.where('outbox.org_id', 'not in', except)
  const rows = await query.execute()
  return rows.map(row => ({
    seq: row.seq,
    orgId: row.org_id,
    conversationId: row.conversation_id,
    kind: row.kind,
    messageId: row.message_id,
    targetWamid: row.target_wamid,
    attempts: row.attempts,
    dueAt: row.due_at,
    message:
      row.text === null || row.type === null
        ? null
        : {
            text: row.text,
            type: row.type,
            isWaiting: row.status === 'queued' && row.wamid === null,
            replyToWamid: row.reply_to_wamid,
          },
    to: row.wa_id ?? row.bsuid,
    isUnconfirmedContact: row.last_inbound_wamid === null,
    lastErrorCode: row.last_error_code,
  }))
}

/** The rows of these that were still waiting are now in flight; answers their numbers. */
export async function takeRows(db: Db, seqs: readonly number[], at: string): Promise<Set<number>> {
  const rows = await db
    .updateTable('outbox')
    .set(eb => ({ state: 'inFlight', attempts: eb('attempts', '+', 1), updated_at: at }))
    .where('seq', 'in', seqs)
    .where('state', '=', 'queued')
    .returning('seq')
    .execute()
  return new Set(rows.map(row => row.seq))
}

/** Answers false when somebody settled the row meanwhile; then nothing is changed. */
export async function moveRow(
  db: Db,
  seq: number,
  from: OutboxTable['state'],
  to: { state: OutboxTable['state']; dueAt?: string; at: string },
): Promise<boolean> {
  const result = await db
    .updateTable('outbox')
    .set({ state: to.state, updated_at: to.at, ...(to.dueAt ? { due_at: to.dueAt } : {}) })
    .where('seq', '=', seq)
    .where('state', '=', from)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

export interface NewAttempt {
  orgId: string
  messageId: string
  callback: string
  at: string
}

export async function insertAttempts(db: Db, attempts: readonly NewAttempt[]): Promise<void> {
  if (!attempts.length) return
  await db
    .insertInto('message_attempt')
    .values(
      attempts.map(attempt => ({
        org_id: attempt.orgId,
        message_id: attempt.messageId,
        callback: attempt.callback,
        started_at: attempt.at,
        ended_at: null,
        outcome: null,
        http_status: null,
        error_code: null,
        error_detail: null,
        wamid: null,
      })),
    )
    .execute()
}

export interface AttemptEnd {
  at: string
  outcome: 'accepted' | 'failed' | 'retry' | 'unknown'
  wamid?: string
  httpStatus?: number
  errorCode?: string
  errorDetail?: string
}

/** The attempt's end, once: what a status told meanwhile stays. */
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

/** Attempts that a dead process left open: nobody knows how they ended. */
export async function endOpenAttempts(db: Db, messageId: string, at: string): Promise<void> {
  await db
    .updateTable('message_attempt')
    .set({ ended_at: at, outcome: 'unknown' })
    .where('message_id', '=', messageId)
    .where('ended_at', 'is', null)
    .execute()
}

export interface HeldRow {
  seq: number
  orgId: string
  kind: OutboxTable['kind']
  messageId: string | null
}

const heldRows = (db: Db) => db.selectFrom('outbox').select(['seq', 'org_id', 'kind', 'message_id']).orderBy('seq')
const toHeld = (row: {
  seq: number
  org_id: string
  kind: OutboxTable['kind']
  message_id: string | null
}): HeldRow => ({
  seq: row.seq,
  orgId: row.org_id,
  kind: row.kind,
  messageId: row.message_id,
})

/** What was in flight when an earlier process died. */
export const listInFlight = async (db: Db, limit: number): Promise<HeldRow[]> =>
  (await heldRows(db).where('state', '=', 'inFlight').limit(limit).execute()).map(toHeld)

/** Unconfirmed rows that have waited long enough for news. */
export const listOverdueUnknown = async (db: Db, now: string, limit: number): Promise<HeldRow[]> =>
  (await heldRows(db).where('state', '=', 'unknown').where('due_at', '<=', now).limit(limit).execute()).map(toHeld)

/** What still waits to be sent for an organization. */
export const listQueued = async (db: Db, orgId: string, limit: number): Promise<HeldRow[]> =>
  (await heldRows(db).where('org_id', '=', orgId).where('state', '=', 'queued').limit(limit).execute()).map(toHeld)

/** When the next row falls due after `now`; undefined when none waits for its time. */
export async function nextDueAt(db: Db, now: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('outbox')
    .select(eb => eb.fn.min('due_at').as('at'))
    .where('state', 'in', ['queued', 'unknown'])
    .where('due_at', '>', now)
    .executeTakeFirst()
  return row?.at ?? undefined
}

/** Deletes settled rows last touched before a time, at most `limit`; attempts stay as the record. Answers how many went. */
export async function deleteDone(db: Db, before: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('outbox')
    .where('seq', 'in', eb =>
      eb
        .selectFrom('outbox')
        .select('seq')
        .where('state', '=', 'done')
        .where('due_at', '<', before)
        .where('updated_at', '<', before)
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
