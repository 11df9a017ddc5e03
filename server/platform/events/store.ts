import type { Db } from '#server/platform/db/database.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { DomainEvent, DomainEventType } from '#server/platform/events/domain.ts'
import { hotQuery } from '../db/db.ts'
import type { StoredDomainEvent } from './listeners.ts'
import type { OrgDb } from './write.ts'

const bumpCounter = hotQuery<{ orgId: string; count: number }, { domain_seq: number }>((db, p) =>
  db
    .insertInto('org_counter')
    .values({ org_id: p.orgId, event_seq: 0, domain_seq: p.count })
    .onConflict(conflict =>
      conflict.column('org_id').doUpdateSet(eb => ({ domain_seq: eb('org_counter.domain_seq', '+', p.count) })),
    )
    .returning('domain_seq'),
)

const rowsPerInsert = 100

/** Keeps events for the listeners after the commit, in order. */
export async function insertDomainEvents(
  db: OrgDb,
  orgId: string,
  events: readonly DomainEvent[],
  { at, by }: { at: string; by: EventActor },
): Promise<void> {
  const [counter] = await bumpCounter(db, { orgId, count: events.length })
  if (!counter) throw new Error('The counter of domain events gave no number')
  const first = counter.domain_seq - events.length + 1
  const rows = events.map(({ type, data }, i) => ({
    org_id: orgId,
    seq: first + i,
    type,
    at,
    by: JSON.stringify(by),
    data: JSON.stringify(data),
  }))
  for (let from = 0; from < rows.length; from += rowsPerInsert)
    await db
      .insertInto('domain_event')
      .values(rows.slice(from, from + rowsPerInsert))
      .execute()
}

/** Makes a listener known. True: it is new, and begins behind everything that has happened so far. */
export async function registerListener(db: Db, name: string, at: string): Promise<boolean> {
  const known = await db
    .insertInto('event_listener')
    .values({ name, created_at: at })
    .onConflict(conflict => conflict.doNothing())
    .returning('name')
    .executeTakeFirst()
  if (!known) return false
  await db
    .insertInto('event_cursor')
    .columns(['listener', 'org_id', 'seq', 'attempts'])
    .expression(eb =>
      eb
        .selectFrom('org_counter')
        .select([eb.val(name).as('listener'), 'org_id', 'domain_seq', eb.val(0).as('attempts')]),
    )
    .execute()
  return true
}

export interface Cursor {
  readonly seq: number
  readonly attempts: number
  readonly dueAt: string | null
}

/** Where a listener stands in an organization. */
export async function findCursor(db: Db, orgId: string, listener: string): Promise<Cursor> {
  const row = await db
    .selectFrom('event_cursor')
    .select(['seq', 'attempts', 'due_at'])
    .where('listener', '=', listener)
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  return row ? { seq: row.seq, attempts: row.attempts, dueAt: row.due_at } : { seq: 0, attempts: 0, dueAt: null }
}

export async function saveCursor(
  db: OrgDb,
  orgId: string,
  listener: string,
  cursor: Cursor & { error?: string },
): Promise<void> {
  const facts = { seq: cursor.seq, attempts: cursor.attempts, due_at: cursor.dueAt, error: cursor.error ?? null }
  await db
    .insertInto('event_cursor')
    .values({ listener, org_id: orgId, ...facts })
    .onConflict(conflict => conflict.columns(['listener', 'org_id']).doUpdateSet(facts))
    .execute()
}

/** The next events behind a number, of whatever type, in order. */
export async function listDomainEvents(
  db: Db,
  orgId: string,
  after: number,
  limit: number,
): Promise<StoredDomainEvent[]> {
  const rows = await db
    .selectFrom('domain_event')
    .select(['seq', 'type', 'at', 'data'])
    .where('org_id', '=', orgId)
    .where('seq', '>', after)
    .orderBy('seq')
    .limit(limit)
    .execute()
  return rows.map(
    row =>
      ({
        id: `${orgId}-${row.seq}`,
        seq: row.seq,
        at: row.at,
        type: row.type as DomainEventType,
        data: JSON.parse(row.data),
      }) as StoredDomainEvent,
  )
}

/** Organizations in which a listener has something before it, in the order of their ids. */
export async function listBehind(
  db: Db,
  listener: string,
  { after, now, farthest, limit }: { after: string; now: string; farthest: string; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('org_counter')
    .leftJoin('event_cursor', join =>
      join.onRef('event_cursor.org_id', '=', 'org_counter.org_id').on('event_cursor.listener', '=', listener),
    )
    .select('org_counter.org_id')
    .where('org_counter.org_id', '>', after)
    .where(eb => eb('org_counter.domain_seq', '>', eb.fn.coalesce('event_cursor.seq', eb.val(0))))
    .where(eb =>
      eb.or([
        eb('event_cursor.due_at', 'is', null),
        eb('event_cursor.due_at', '<=', now),
        eb('event_cursor.due_at', '>', farthest),
      ]),
    )
    .orderBy('org_counter.org_id')
    .limit(limit)
    .execute()
  return rows.map(row => row.org_id)
}

/** When the next listener that waits after a failure goes on; undefined: none waits. */
export async function nextCursorDueAt(db: Db): Promise<string | undefined> {
  const row = await db
    .selectFrom('event_cursor')
    .select(eb => eb.fn.min('due_at').as('at'))
    .where('due_at', 'is not', null)
    .executeTakeFirst()
  return row?.at ?? undefined
}

export async function parkEvent(
  db: OrgDb,
  orgId: string,
  parked: { listener: string; seq: number; reason: string; at: string },
): Promise<void> {
  await db
    .insertInto('parked_event')
    .values({ org_id: orgId, ...parked })
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** When the oldest event happened that a listener has still to hear; undefined: all have heard everything. */
export async function findOldestUnheard(db: Db, listener: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('org_counter as o')
    .leftJoin('event_cursor as c', join => join.onRef('c.org_id', '=', 'o.org_id').on('c.listener', '=', listener))
    .innerJoin('domain_event as e', join =>
      join
        .onRef('e.org_id', '=', 'o.org_id')
        .on(eb => eb('e.seq', '=', eb(eb.fn.coalesce('c.seq', eb.val(0)), '+', 1))),
    )
    .where(eb => eb('o.domain_seq', '>', eb.fn.coalesce('c.seq', eb.val(0))))
    .select(eb => eb.fn.min('e.at').as('at'))
    .executeTakeFirst()
  return row?.at ?? undefined
}

const countedTo = 10_000

/** How many events each listener has given up, over all organizations; those with none are absent, many are not all counted. */
export async function countParked(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom(db.selectFrom('parked_event').select('listener').limit(countedTo).as('some'))
    .select(eb => ['listener', eb.fn.countAll<number>().as('count')])
    .groupBy('listener')
    .execute()
  return new Map(rows.map(row => [row.listener, Number(row.count)]))
}

/**
 * Deletes up to `limit` events of any organization from before `at` that every listener is through with; parked ones
 * stay. Answers how many went.
 */
export async function deleteDomainEventsBefore(
  db: Db,
  listeners: readonly string[],
  at: string,
  limit: number,
): Promise<number> {
  const old = await db
    .selectFrom('domain_event as e')
    .select(['e.org_id', 'e.seq'])
    .where('e.at', '<', at)
    .where(eb =>
      eb.and(
        listeners.map(listener =>
          eb.exists(
            eb
              .selectFrom('event_cursor as c')
              .select('c.seq')
              .whereRef('c.org_id', '=', 'e.org_id')
              .where('c.listener', '=', listener)
              .whereRef('c.seq', '>=', 'e.seq'),
          ),
        ),
      ),
    )
    .where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('parked_event as p')
            .select('p.seq')
            .whereRef('p.org_id', '=', 'e.org_id')
            .whereRef('p.seq', '=', 'e.seq'),
        ),
      ),
    )
    .orderBy('e.at')
    .limit(limit)
    .execute()
  let gone = 0
  for (const { org_id, seq } of old) {
    const result = await db
      .deleteFrom('domain_event')
      .where('org_id', '=', org_id)
      .where('seq', '=', seq)
      .executeTakeFirst()
    gone += Number(result.numDeletedRows)
  }
  return gone
}
