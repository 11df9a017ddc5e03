import type { Selectable } from 'kysely'
import { belongsTo, bulkWrite, lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { SessionState } from '#shared/flows/runs/runs.ts'
import type { SessionPosition } from '../step/advance-types.ts'
import type { FlowSessionTable, FlowStepTable } from '../table.ts'

/** A contact in a flow. */
export interface StoredSession {
  readonly id: string
  readonly flowId: string
  readonly version: number
  readonly contactId: string
  readonly conversationId: string
  readonly trigger: string
  /** Set for the test of a draft; null for customers. */
  readonly testId: string | null
  readonly state: SessionState
  readonly reason: string | null
  readonly place: SessionPosition
  /** The number of steps so far. */
  readonly steps: number
  readonly wakesAt: string | null
  readonly startedAt: string
  readonly movedAt: string
  readonly endedAt: string | null
}

const toSession = (row: Selectable<FlowSessionTable>): StoredSession => ({
  id: row.id,
  flowId: row.flow_id,
  version: row.version,
  contactId: row.contact_id,
  conversationId: row.conversation_id,
  trigger: row.trigger,
  testId: row.test_id,
  state: row.state,
  reason: row.reason,
  place: JSON.parse(row.place),
  steps: row.steps,
  wakesAt: row.wakes_at,
  startedAt: row.started_at,
  movedAt: row.moved_at,
  endedAt: row.ended_at,
})

const liveOfContacts = lookupQuery<{ orgId: string }, Selectable<FlowSessionTable>>((db, contactIds, { orgId }) =>
  db
    .selectFrom('flow_session')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('contact_id', 'in', contactIds)
    .where('ended_at', 'is', null),
)

/** Running sessions of these contacts; at most one per contact. */
export const findLive = async (db: Db, orgId: string, contactIds: readonly string[]): Promise<StoredSession[]> =>
  contactIds.length ? (await liveOfContacts(db, contactIds, { orgId })).map(toSession) : []

const byIds = lookupQuery<{ orgId: string }, Selectable<FlowSessionTable>>((db, ids, { orgId }) =>
  db.selectFrom('flow_session').selectAll().where('id', 'in', ids).where(belongsTo('flow_session.org_id', orgId)),
)

export const findSessions = async (db: Db, orgId: string, ids: readonly string[]): Promise<StoredSession[]> =>
  ids.length ? (await byIds(db, ids, { orgId })).map(toSession) : []

export const findSession = async (db: Db, orgId: string, id: string): Promise<StoredSession | undefined> =>
  (await findSessions(db, orgId, [id]))[0]

/** Running sessions of a test, at most `limit`. */
export const listLiveOfTest = async (db: Db, orgId: string, testId: string, limit: number): Promise<StoredSession[]> =>
  (
    await db
      .selectFrom('flow_session')
      .selectAll()
      .where('test_id', '=', testId)
      .where('org_id', '=', orgId)
      .where('ended_at', 'is', null)
      .orderBy('id')
      .limit(limit)
      .execute()
  ).map(toSession)

/** Running sessions of a flow, at most `limit`. */
export const listLiveOf = async (db: Db, orgId: string, flowId: string, limit: number): Promise<StoredSession[]> =>
  (
    await db
      .selectFrom('flow_session')
      .selectAll()
      .where('org_id', '=', orgId)
      .where('flow_id', '=', flowId)
      .where('ended_at', 'is', null)
      .orderBy('id')
      .limit(limit)
      .execute()
  ).map(toSession)

const flowsOfContacts = lookupQuery<{ orgId: string }, { contact_id: string; flow_id: string }>(
  (db, contactIds, { orgId }) =>
    db
      .selectFrom('flow_session')
      // Distinct in JavaScript: for DISTINCT, SQLite would scan every session of the organization by flow.
      .select(['contact_id', 'flow_id'])
      .where('org_id', '=', orgId)
      .where('contact_id', 'in', contactIds)
      .where('test_id', 'is', null),
)

/** Flows that these contacts have been in before. */
export async function flowsBefore(
  db: Db,
  orgId: string,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const flows = new Map<string, Set<string>>()
  for (const { contact_id, flow_id } of await flowsOfContacts(db, contactIds, { orgId }))
    flows.set(contact_id, (flows.get(contact_id) ?? new Set()).add(flow_id))
  return new Map([...flows].map(([contactId, ids]) => [contactId, [...ids]]))
}

const save = bulkWrite<Omit<FlowSessionTable, 'org_id' | 'client_key'>, { orgId: string }, never>(
  (db, rows, { orgId }) =>
    db
      .insertInto('flow_session')
      .values(
        rows.map(row => ({
          id: row.id,
          org_id: orgId,
          flow_id: row.flow_id,
          version: row.version,
          trigger: row.trigger,
          test_id: row.test_id,
          started_at: row.started_at,
          contact_id: row.contact_id,
          conversation_id: row.conversation_id,
          state: row.state,
          reason: row.reason,
          place: row.place,
          steps: row.steps,
          wakes_at: row.wakes_at,
          moved_at: row.moved_at,
          ended_at: row.ended_at,
        })),
      )
      .onConflict(conflict =>
        conflict.column('id').doUpdateSet(eb => ({
          contact_id: eb.ref('excluded.contact_id'),
          conversation_id: eb.ref('excluded.conversation_id'),
          state: eb.ref('excluded.state'),
          reason: eb.ref('excluded.reason'),
          place: eb.ref('excluded.place'),
          steps: eb.ref('excluded.steps'),
          wakes_at: eb.ref('excluded.wakes_at'),
          moved_at: eb.ref('excluded.moved_at'),
          ended_at: eb.ref('excluded.ended_at'),
        })),
      ) as never,
)

/** Inserts or updates sessions; their start is never updated. */
export async function saveSessions(db: OrgDb, orgId: string, sessions: readonly StoredSession[]): Promise<void> {
  const rows = sessions.map(session => ({
    id: session.id,
    flow_id: session.flowId,
    version: session.version,
    trigger: session.trigger,
    test_id: session.testId,
    started_at: session.startedAt,
    contact_id: session.contactId,
    conversation_id: session.conversationId,
    state: session.state,
    reason: session.reason,
    place: JSON.stringify(session.place),
    steps: session.steps,
    wakes_at: session.wakesAt,
    moved_at: session.movedAt,
    ended_at: session.endedAt,
  }))
  await save(db, rows, { orgId })
}
export const saveSession = (db: OrgDb, orgId: string, session: StoredSession): Promise<void> =>
  saveSessions(db, orgId, [session])

export const insertSteps = bulkWrite<Omit<FlowStepTable, 'org_id'>, { orgId: string }, never>(
  (db, rows, { orgId }) =>
    db.insertInto('flow_step').values(
      rows.map(row => ({
        session_id: row.session_id,
        place: row.place,
        org_id: orgId,
        node_id: row.node_id,
        at: row.at,
        input: row.input,
        output: row.output,
        why: row.why,
        changes: row.changes,
        message_id: row.message_id,
        call: row.call,
      })),
    ) as never,
)

/** The last messages of a session, newest first. */
export async function listMessageIds(db: Db, orgId: string, sessionId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('flow_step')
    .select('message_id')
    .where('session_id', '=', sessionId)
    .where('org_id', '=', orgId)
    .where('message_id', 'is not', null)
    .orderBy('place', 'desc')
    .limit(limit)
    .execute()
  return rows.map(({ message_id }) => message_id as string)
}

/** The id of a contact's last session since then; undefined if there was none. */
export async function findLastId(db: Db, orgId: string, contactId: string, since: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('flow_session')
    .select('id')
    .where('org_id', '=', orgId)
    .where('contact_id', '=', contactId)
    .where('started_at', '>=', since)
    .orderBy('started_at', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.id
}

/** It has started, but could not send anything yet. */
export const isMute = async (db: Db, orgId: string, { id, state }: StoredSession): Promise<boolean> =>
  state === 'parked' && !(await listMessageIds(db, orgId, id, 1)).length

/** After a merge the surviving contact gets the other's ended sessions. */
export async function moveSessions(db: OrgDb, orgId: string, from: string, to: string): Promise<void> {
  await db
    .updateTable('flow_session')
    .set({ contact_id: to })
    .where('org_id', '=', orgId)
    .where('contact_id', '=', from)
    .where('ended_at', 'is not', null)
    .execute()
}

/** Deletes sessions that ended before a time, with their steps. Returns the number of sessions. */
export async function deleteEnded(db: Db, before: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('flow_session')
    .where('id', 'in', db.selectFrom('flow_session').select('id').where('ended_at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
