import type { Selectable } from 'kysely'
import type { Place } from '#shared/flow-turn.ts'
import type { SessionState } from '#shared/flows.ts'
import { bulkWrite, lookupQuery } from '../bulk.ts'
import { type Db, hotQuery } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'
import type { FlowSessionTable, FlowStepTable } from './table.ts'

/** A contact in a flow. */
export interface StoredSession {
  readonly id: string
  readonly flowId: string
  readonly version: number
  readonly contactId: string
  readonly conversationId: string
  readonly trigger: string
  /** Of a draft that its author tries; null: customers are in it. */
  readonly testId: string | null
  readonly state: SessionState
  readonly reason: string | null
  readonly place: Place
  /** How many there were. */
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

/** Sessions under way of these contacts; of each at most one. */
export const findLive = async (db: Db, orgId: string, contactIds: readonly string[]): Promise<StoredSession[]> =>
  contactIds.length ? (await liveOfContacts(db, contactIds, { orgId })).map(toSession) : []

const byId = hotQuery((db, p: { id: string; orgId: string }) =>
  db.selectFrom('flow_session').selectAll().where('id', '=', p.id).where('org_id', '=', p.orgId),
)

export async function findSession(db: Db, orgId: string, id: string): Promise<StoredSession | undefined> {
  const [row] = await byId(db, { id, orgId })
  return row && toSession(row)
}

/** Sessions of a test that are under way, some of them. */
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

/** Sessions of a flow that are under way, some of them. */
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
      .select(['contact_id', 'flow_id'])
      .distinct()
      .where('org_id', '=', orgId)
      .where('contact_id', 'in', contactIds)
      .where('test_id', 'is', null),
)

/** Flows these contacts have been in. */
export async function flowsBefore(
  db: Db,
  orgId: string,
  contactIds: readonly string[],
): Promise<ReadonlyMap<string, string[]>> {
  const flows = new Map<string, string[]>()
  for (const { contact_id, flow_id } of await flowsOfContacts(db, contactIds, { orgId }))
    flows.set(contact_id, [...(flows.get(contact_id) ?? []), flow_id])
  return flows
}

/** Begins or goes on; where it began is what it was. */
export async function saveSession(db: OrgDb, orgId: string, session: StoredSession): Promise<void> {
  const changing = {
    contact_id: session.contactId,
    conversation_id: session.conversationId,
    state: session.state,
    reason: session.reason,
    place: JSON.stringify(session.place),
    steps: session.steps,
    wakes_at: session.wakesAt,
    moved_at: session.movedAt,
    ended_at: session.endedAt,
  }
  await db
    .insertInto('flow_session')
    .values({
      id: session.id,
      org_id: orgId,
      flow_id: session.flowId,
      version: session.version,
      trigger: session.trigger,
      test_id: session.testId,
      started_at: session.startedAt,
      ...changing,
    })
    .onConflict(conflict => conflict.column('id').doUpdateSet(changing))
    .execute()
}

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

/** It began and nothing could be said. */
export const isMute = async (db: Db, orgId: string, { id, state }: StoredSession): Promise<boolean> =>
  state === 'parked' && !(await listMessageIds(db, orgId, id, 1)).length

/** Who was merged into another takes their ended sessions along. */
export async function moveSessions(db: OrgDb, orgId: string, from: string, to: string): Promise<void> {
  await db
    .updateTable('flow_session')
    .set({ contact_id: to })
    .where('org_id', '=', orgId)
    .where('contact_id', '=', from)
    .where('ended_at', 'is not', null)
    .execute()
}

/** Deletes sessions that ended before a time, with their steps; answers how many went. */
export async function deleteEnded(db: Db, before: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('flow_session')
    .where('id', 'in', db.selectFrom('flow_session').select('id').where('ended_at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
