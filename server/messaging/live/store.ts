import { sql } from 'kysely'
import { seenOr } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { bulkQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import { passingEventTypes } from '#shared/live/log.ts'

/** A row for the stream. `json` is the data, not parsed. */
export interface EventRow {
  seq: number
  type: string
  at: string
  number: string | null
  /** Only members who see it get the event. Null: about none, or stored before this column existed. */
  conversationId: string | null
  audience: readonly string[] | null
  /** The kind of actor. Null: stored before this column existed. */
  actor: string | null
  /** The actor's name at that time. */
  actorName: string | null
  json: string
}

const readAudience = (stored: string | null): readonly string[] | null =>
  stored === null ? null : (JSON.parse(stored) as string[])

const bumpCounter = hotQuery<{ orgId: string; count: number }, { event_seq: number }>((db, p) =>
  db
    .insertInto('org_counter')
    .values({ org_id: p.orgId, event_seq: p.count })
    .onConflict(conflict =>
      conflict.column('org_id').doUpdateSet(eb => ({ event_seq: eb('org_counter.event_seq', '+', p.count) })),
    )
    .returning('event_seq'),
)

/**
 * Takes `count` numbers of the organization's sequence and returns the last. A rollback returns them, so there are no
 * gaps.
 */
export async function takeSeqs(db: Db, orgId: string, count: number): Promise<number> {
  const [row] = await bumpCounter(db, { orgId, count })
  if (!row) throw new Error('The counter of events gave no number')
  return row.event_seq
}

type EventValues = Omit<EventRow, 'audience'> & { audience: string | null }

const insertRows = bulkQuery<EventValues, { orgId: string }, never>((db, rows, { orgId }) =>
  db.insertInto('event').values(
    rows.map(({ seq, type, at, number, conversationId, audience, actor, actorName, json }) => ({
      org_id: orgId,
      seq,
      type,
      at,
      number,
      conversation_id: conversationId,
      audience,
      actor,
      actor_name: actorName,
      data: json,
    })),
  ),
)

/** Adds rows, many in one statement. */
export async function insertEvents(db: Db, orgId: string, rows: readonly EventRow[]): Promise<void> {
  const values = rows.map(row => ({ ...row, audience: row.audience && JSON.stringify(row.audience) }))
  await insertRows(db, values, { orgId })
}

const headQuery = hotQuery<{ orgId: string }, { event_seq: number }>((db, p) =>
  db.selectFrom('org_counter').select('event_seq').where('org_id', '=', p.orgId),
)

/** The number of the newest event. 0: there is none. */
export async function readHead(db: Db, orgId: string): Promise<number> {
  const [row] = await headQuery(db, { orgId })
  return row?.event_seq ?? 0
}

/** `readHead` for many organizations. Organizations without an event are absent. */
export async function readHeads(db: Db, orgIds: readonly string[]): Promise<Map<string, number>> {
  const heads = new Map<string, number>()
  for (let from = 0; from < orgIds.length; from += 500) {
    const rows = await db
      .selectFrom('org_counter')
      .selectAll()
      .where('org_id', 'in', orgIds.slice(from, from + 500))
      .execute()
    for (const row of rows) heads.set(row.org_id, row.event_seq)
  }
  return heads
}

interface AfterRow {
  seq: number
  type: string
  at: string
  number: string | null
  conversation_id: string | null
  audience: string | null
  actor: string | null
  actor_name: string | null
  data: string
}

const afterQuery = hotQuery<{ orgId: string; seq: number; limit: number }, AfterRow>((db, p) =>
  db
    .selectFrom('event')
    .select(['seq', 'type', 'at', 'number', 'conversation_id', 'audience', 'actor', 'actor_name', 'data'])
    .where('org_id', '=', p.orgId)
    .where('seq', '>', p.seq)
    .orderBy('seq')
    .limit(p.limit),
)

/** The next events after a number, for all readers. The caller checks who may see them. */
export async function eventsAfter(db: Db, orgId: string, seq: number, limit: number): Promise<EventRow[]> {
  const rows = await afterQuery(db, { orgId, seq, limit })
  return rows.map(toEvent)
}

const toEvent = (row: AfterRow): EventRow => ({
  seq: row.seq,
  type: row.type,
  at: row.at,
  number: row.number,
  conversationId: row.conversation_id,
  audience: readAudience(row.audience),
  actor: row.actor,
  actorName: row.actor_name,
  json: row.data,
})

/** A query for one range of numbers of the event log. */
interface EventSlice {
  /** Exclusive. */
  above: number
  /** Inclusive. */
  upTo: number
  types: readonly string[] | undefined
  number: string | undefined
  from: string | undefined
  to: string | undefined
}

/** Events of a range that match, newest first. Only `seq` is indexed, so the caller keeps the range small. */
export async function eventsWithin(db: Db, { orgId, scope }: Viewer, slice: EventSlice): Promise<EventRow[]> {
  let query = db
    .selectFrom('event')
    .select(['seq', 'type', 'at', 'number', 'conversation_id', 'audience', 'actor', 'actor_name', 'data'])
    .where('org_id', '=', orgId)
    .where('seq', '>', slice.above)
    .where('seq', '<=', slice.upTo)
    .where(seenOr(scope, 'event.conversation_id', sql<boolean>`event.number is null`))
  query = query.where('type', 'not in', passingEventTypes)
  if (slice.types) query = query.where('type', 'in', slice.types)
  if (slice.number) query = query.where('number', '=', slice.number)
  if (slice.from) query = query.where('at', '>=', slice.from)
  if (slice.to) query = query.where('at', '<', slice.to)
  const rows = await query.orderBy('seq', 'desc').execute()
  return rows.map(toEvent)
}

/** The oldest number that still exists. Undefined: none does. */
export async function readOldest(db: Db, orgId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('event')
    .select('seq')
    .where('org_id', '=', orgId)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return row?.seq
}

/**
 * Deletes up to `limit` events before `at`, of all organizations, because the retention time is the installation's.
 * Returns how many.
 */
export async function deleteEventsBefore(db: Db, at: string, limit: number): Promise<number> {
  const old = await db
    .selectFrom('event')
    .select(['org_id', 'seq'])
    .where('at', '<', at)
    .orderBy('at')
    .limit(limit)
    .execute()
  const highest = new Map<string, number>()
  for (const row of old) highest.set(row.org_id, Math.max(row.seq, highest.get(row.org_id) ?? 0))
  let gone = 0
  for (const [orgId, seq] of highest) {
    const result = await db
      .deleteFrom('event')
      .where('org_id', '=', orgId)
      .where('seq', '<=', seq)
      .where('at', '<', at)
      .executeTakeFirst()
    gone += Number(result.numDeletedRows)
  }
  return gone
}

/** Must equal the index's expression. */
const isShortLived = sql<boolean>`type in (${sql.join(passingEventTypes.map(type => sql.lit(type)))})`

/** Deletes up to `limit` short-lived events before a time. Later events may stay: replay detects the gap. */
export async function deletePassingBefore(db: Db, at: string, limit: number): Promise<number> {
  const old = await db
    .selectFrom('event')
    .select(['org_id', 'seq'])
    .where(isShortLived)
    .where('at', '<', at)
    .orderBy('at')
    .limit(limit)
    .execute()
  const byOrg = Map.groupBy(old, row => row.org_id)
  for (const [orgId, rows] of byOrg)
    for (let from = 0; from < rows.length; from += 500) {
      const seqs = rows.slice(from, from + 500).map(row => row.seq)
      await db.deleteFrom('event').where('org_id', '=', orgId).where('seq', 'in', seqs).execute()
    }
  return old.length
}
