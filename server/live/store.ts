import { sql } from 'kysely'
import { readKeyPermissions } from '#shared/api-keys.ts'
import { effectiveRole, type OrgRole, roleCan } from '#shared/permissions.ts'
import { meetsSsoDemand } from '../auth/sso/demand-condition.ts'
import { bulkQuery } from '../bulk.ts'
import { type Db, hotQuery } from '../db.ts'
import { seenOr } from '../visibility/condition.ts'
import type { Viewer } from '../visibility/scope.ts'

/** A row as the stream needs it: `json` is the data, unread. */
export interface EventRow {
  seq: number
  type: string
  at: string
  number: string | null
  /** The conversation it is about: only those who see it get the event. Null: none, or one of before this was kept. */
  conversationId: string | null
  audience: readonly string[] | null
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

/** Takes `count` numbers of the organization's sequence; answers the last. Rolled back with its transaction, so there are no holes. */
export async function takeSeqs(db: Db, orgId: string, count: number): Promise<number> {
  const [row] = await bumpCounter(db, { orgId, count })
  if (!row) throw new Error('The counter of events gave no number')
  return row.event_seq
}

type EventValues = Omit<EventRow, 'audience'> & { audience: string | null }

const insertRows = bulkQuery<EventValues, { orgId: string }, never>((db, rows, { orgId }) =>
  db.insertInto('event').values(
    rows.map(({ seq, type, at, number, conversationId, audience, json }) => ({
      org_id: orgId,
      seq,
      type,
      at,
      number,
      conversation_id: conversationId,
      audience,
      data: json,
    })),
  ),
)

/** Adds the rows, many to a statement. */
export async function insertEvents(db: Db, orgId: string, rows: readonly EventRow[]): Promise<void> {
  const values = rows.map(row => ({ ...row, audience: row.audience && JSON.stringify(row.audience) }))
  await insertRows(db, values, { orgId })
}

const headQuery = hotQuery<{ orgId: string }, { event_seq: number }>((db, p) =>
  db.selectFrom('org_counter').select('event_seq').where('org_id', '=', p.orgId),
)

/** The number of the organization's newest event; 0 before the first. */
export async function headOf(db: Db, orgId: string): Promise<number> {
  const [row] = await headQuery(db, { orgId })
  return row?.event_seq ?? 0
}

/** `headOf` for many organizations at once; those without an event are left out. */
export async function headsOf(db: Db, orgIds: readonly string[]): Promise<Map<string, number>> {
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
  data: string
}

const afterQuery = hotQuery<{ orgId: string; seq: number; limit: number }, AfterRow>((db, p) =>
  db
    .selectFrom('event')
    .select(['seq', 'type', 'at', 'number', 'conversation_id', 'audience', 'data'])
    .where('org_id', '=', p.orgId)
    .where('seq', '>', p.seq)
    .orderBy('seq')
    .limit(p.limit),
)

/** The next events after a number, in order, whoever may see them: whoever gives them away asks for each reader. */
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
  json: row.data,
})

/** What a page of the event log asks of one stretch of numbers. */
export interface EventSlice {
  /** Exclusive. */
  above: number
  /** Inclusive. */
  upTo: number
  types: readonly string[] | undefined
  number: string | undefined
  from: string | undefined
  to: string | undefined
}

/** The events of a stretch that fit, newest first. The caller keeps the stretch short: nothing but `seq` is indexed. */
export async function eventsWithin(db: Db, { orgId, scope }: Viewer, slice: EventSlice): Promise<EventRow[]> {
  let query = db
    .selectFrom('event')
    .select(['seq', 'type', 'at', 'number', 'conversation_id', 'audience', 'data'])
    .where('org_id', '=', orgId)
    .where('seq', '>', slice.above)
    .where('seq', '<=', slice.upTo)
    .where(seenOr(scope, 'event.conversation_id', sql<boolean>`event.number is null`))
  if (slice.types) query = query.where('type', 'in', slice.types)
  if (slice.number) query = query.where('number', '=', slice.number)
  if (slice.from) query = query.where('at', '>=', slice.from)
  if (slice.to) query = query.where('at', '<', slice.to)
  const rows = await query.orderBy('seq', 'desc').execute()
  return rows.map(toEvent)
}

/** The oldest number that is kept; undefined: none is. */
export async function oldestOf(db: Db, orgId: string): Promise<number | undefined> {
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
 * Deletes up to `limit` events of any organization from before `at`; answers how many went. The age is the
 * installation's rule, not an organization's, so this one statement crosses them.
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

/** Who holds a stream open. */
export interface Watcher {
  readonly orgId: string
  /** A key's id for who came with a key: what is meant for people does not reach it. */
  readonly userId: string
  /** Null: came with a key. */
  readonly sessionId: string | null
  /** When the stream began; of a key, its maker's. */
  readonly role: OrgRole
  /** Who made the key. */
  readonly creatorId?: string
}

/** `roleChanged`: what it may see is another thing now; whoever watches comes back. */
export type WatcherEnd = 'signedOut' | 'notMember' | 'roleChanged'

/** Which of these streams should end, and why; those not in the answer may stay. */
export async function endedWatchers<W extends Watcher>(
  db: Db,
  all: readonly W[],
  now: string,
): Promise<Map<W, WatcherEnd>> {
  const ended = new Map<W, WatcherEnd>()
  const watchers = all.filter(({ sessionId }) => sessionId !== null)
  for (let from = 0; from < watchers.length; from += 500) {
    const part = watchers.slice(from, from + 500)
    const users = [...new Set(part.map(watcher => watcher.userId))]
    const sessions = await db
      .selectFrom('session')
      .innerJoin('user', 'user.id', 'session.userId')
      .select(['session.id', 'session.userId', 'user.banned', 'user.banExpires'])
      .where('session.id', 'in', [...new Set(part.map(watcher => watcher.sessionId as string))])
      .where('session.expiresAt', '>', now)
      .execute()
    const members = await db
      .selectFrom('member')
      .leftJoin('org_settings', 'org_settings.org_id', 'member.organizationId')
      .leftJoin('second_factor', 'second_factor.user_id', 'member.userId')
      .select(['member.userId', 'member.organizationId', 'member.role'])
      .where(eb =>
        eb.or([
          eb('org_settings.second_factor_required', 'is', null),
          eb('org_settings.second_factor_required', '=', 0),
          eb('second_factor.user_id', 'is not', null),
        ]),
      )
      .where('member.userId', 'in', users)
      .where('member.organizationId', 'in', [...new Set(part.map(watcher => watcher.orgId))])
      .execute()
    const withSso = await db
      .selectFrom('session')
      .innerJoin('member', 'member.userId', 'session.userId')
      .select(['session.id', 'member.organizationId'])
      .where('session.id', 'in', [...new Set(part.map(watcher => watcher.sessionId as string))])
      .where('member.organizationId', 'in', [...new Set(part.map(watcher => watcher.orgId))])
      .where(eb =>
        meetsSsoDemand(eb, {
          orgId: 'member.organizationId',
          userId: 'member.userId',
          role: 'member.role',
          providerId: 'session.ssoProviderId',
        }),
      )
      .execute()
    const meetsSso = new Set(withSso.map(row => `${row.organizationId} ${row.id}`))
    const signedIn = new Set(
      sessions
        .filter(row => !row.banned || (row.banExpires !== null && row.banExpires <= now))
        .map(row => `${row.id} ${row.userId}`),
    )
    const roles = new Map(members.map(row => [`${row.organizationId} ${row.userId}`, effectiveRole(row.role)]))
    for (const watcher of part) {
      if (!signedIn.has(`${watcher.sessionId} ${watcher.userId}`)) ended.set(watcher, 'signedOut')
      else {
        const role = roles.get(`${watcher.orgId} ${watcher.userId}`)
        if (!role || !roleCan(role, 'chat:read') || !meetsSso.has(`${watcher.orgId} ${watcher.sessionId}`))
          ended.set(watcher, 'notMember')
        else if (role !== watcher.role) ended.set(watcher, 'roleChanged')
      }
    }
  }
  for (const [watcher, why] of await endedKeys(db, all, now)) ended.set(watcher, why)
  return ended
}

/** Those who came with a key that no longer reads chats, or whose maker has another role now. */
async function endedKeys<W extends Watcher>(db: Db, all: readonly W[], now: string): Promise<[W, WatcherEnd][]> {
  const watchers = all.filter(({ sessionId }) => sessionId === null)
  const alive = new Map<string, OrgRole>()
  for (let from = 0; from < watchers.length; from += 500) {
    const rows = await db
      .selectFrom('apikey')
      .innerJoin('member', 'member.id', 'apikey.member_id')
      .innerJoin('user', 'user.id', 'member.userId')
      .leftJoin('org_settings', 'org_settings.org_id', 'apikey.referenceId')
      .leftJoin('second_factor', 'second_factor.user_id', 'member.userId')
      .where(eb =>
        eb.or([
          eb('org_settings.second_factor_required', 'is', null),
          eb('org_settings.second_factor_required', '=', 0),
          eb('second_factor.user_id', 'is not', null),
        ]),
      )
      .select(['apikey.id', 'apikey.permissions', 'member.role'])
      .where('apikey.id', 'in', [...new Set(watchers.slice(from, from + 500).map(({ userId }) => userId))])
      .where('apikey.enabled', '=', 1)
      .where(eb => eb.or([eb('apikey.expiresAt', 'is', null), eb('apikey.expiresAt', '>=', now)]))
      .where(eb => eb.or([eb('user.banned', 'is', null), eb('user.banned', '=', 0), eb('user.banExpires', '<', now)]))
      .execute()
    for (const { id, permissions, role } of rows)
      if (roleCan(effectiveRole(role), 'chat:read') && (readKeyPermissions(permissions)?.includes('chat:read') ?? true))
        alive.set(id, effectiveRole(role))
  }
  return watchers.flatMap((watcher): [W, WatcherEnd][] => {
    const role = alive.get(watcher.userId)
    if (role === undefined) return [[watcher, 'signedOut']]
    return role === watcher.role ? [] : [[watcher, 'roleChanged']]
  })
}
