import { sql } from 'kysely'
import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { readGraph } from '#shared/flows/exchange.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import type { ReplayVerdict } from '#shared/flows/testing/replay.ts'
import type { RunHead } from '../runs/run-store.ts'
import type { FlowReplayTable } from '../table.ts'

export interface StoredReplay {
  readonly id: string
  readonly flowId: string
  readonly since: string
  /** Only sessions started by this trigger; null: all. */
  readonly trigger: string | null
  readonly state: FlowReplayTable['state']
  readonly total: number
  readonly done: number
  readonly after: string
  readonly startedAt: string
  readonly startedBy: string
  readonly endedAt: string | null
}

const columns = [
  'id',
  'flow_id as flowId',
  'since',
  'trigger',
  'state',
  'total',
  'done',
  'after',
  'started_at as startedAt',
  'started_by as startedBy',
  'ended_at as endedAt',
] as const

/** The newest replay of a flow. */
export const findLastReplay = (db: Db, orgId: string, flowId: string): Promise<StoredReplay | undefined> =>
  db
    .selectFrom('flow_replay')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('flow_id', '=', flowId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export const findReplay = (db: Db, orgId: string, id: string): Promise<StoredReplay | undefined> =>
  db.selectFrom('flow_replay').select(columns).where('org_id', '=', orgId).where('id', '=', id).executeTakeFirst()

/** The graph when the replay started. */
export async function readReplayGraph(db: Db, orgId: string, id: string): Promise<FlowGraph> {
  const { graph } = await db
    .selectFrom('flow_replay')
    .select('graph')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return readGraph(JSON.parse(graph))
}

export async function insertReplay(db: OrgDb, orgId: string, replay: StoredReplay, graph: object): Promise<void> {
  await db
    .insertInto('flow_replay')
    .values({
      id: replay.id,
      org_id: orgId,
      flow_id: replay.flowId,
      graph: JSON.stringify(graph),
      since: replay.since,
      trigger: replay.trigger,
      state: replay.state,
      total: replay.total,
      done: replay.done,
      after: replay.after,
      started_at: replay.startedAt,
      started_by: replay.startedBy,
      ended_at: replay.endedAt,
    })
    .execute()
}

/** Stops the running replays of a flow. */
export async function stopReplays(db: OrgDb, orgId: string, flowId: string, at: string): Promise<void> {
  await db
    .updateTable('flow_replay')
    .set({ state: 'stopped', ended_at: at })
    .where('org_id', '=', orgId)
    .where('flow_id', '=', flowId)
    .where('state', '=', 'running')
    .execute()
}

/** The number of a flow's sessions started since a time, among the last ones. */
export async function countSince(
  db: Db,
  orgId: string,
  { flowId, since, trigger, most }: Pick<StoredReplay, 'flowId' | 'since' | 'trigger'> & { most: number },
): Promise<number> {
  const all = db
    .selectFrom('flow_session')
    .select('started_at')
    .where('org_id', '=', orgId)
    .where('flow_id', '=', flowId)
    .where('test_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(most)
  const last = trigger === null ? all : all.where('trigger', '=', trigger)
  const { count } = await db
    .selectFrom(last.as('recent'))
    .select(sql<number>`count(*)`.as('count'))
    .where('recent.started_at', '>=', since)
    .executeTakeFirstOrThrow()
  return Number(count)
}

const heads = (db: Db, orgId: string) =>
  db
    .selectFrom('flow_session')
    .select([
      'id',
      'flow_id as flowId',
      'version',
      'contact_id as contactId',
      'conversation_id as conversationId',
      'trigger',
      'test_id as testId',
      'state',
      'reason',
      'steps',
      'started_at as startedAt',
      'ended_at as endedAt',
    ])
    .where('org_id', '=', orgId)

export type PlayedRun = RunHead & { readonly contactId: string }

/**
 * Customers' sessions in a flow regardless of visibility, because a job reads them. Newest first, after a given one.
 */
export const listToReplay = (
  db: Db,
  orgId: string,
  { flowId, trigger, after, limit }: Pick<StoredReplay, 'flowId' | 'trigger' | 'after'> & { limit: number },
): Promise<PlayedRun[]> => {
  const all = heads(db, orgId)
    .where('flow_id', '=', flowId)
    .where('test_id', 'is', null)
    .orderBy('id', 'desc')
    .limit(limit)
  const query = trigger === null ? all : all.where('trigger', '=', trigger)
  return (after ? query.where('id', '<', after) : query).execute()
}

export const listPlayed = (db: Db, orgId: string, ids: readonly string[]): Promise<PlayedRun[]> =>
  heads(db, orgId)
    .where('id', 'in', [...ids])
    .execute()

interface Verdict {
  readonly sessionId: string
  readonly conversationId: string
  readonly verdict: ReplayVerdict
}

/** Stores verdicts and the progress; does nothing if another process already has. */
export async function saveVerdicts(
  db: OrgDb,
  orgId: string,
  before: Pick<StoredReplay, 'id' | 'done'>,
  { verdicts, after, endedAt }: { verdicts: readonly Verdict[]; after: string; endedAt: string | null },
): Promise<void> {
  const result = await db
    .updateTable('flow_replay')
    .set({
      done: before.done + verdicts.length,
      after,
      ...(endedAt ? { state: 'done' as const, ended_at: endedAt } : {}),
    })
    .where('id', '=', before.id)
    .where('org_id', '=', orgId)
    .where('state', '=', 'running')
    .where('done', '=', before.done)
    .executeTakeFirst()
  if (!Number(result.numUpdatedRows) || !verdicts.length) return
  await db
    .insertInto('flow_replayed')
    .values(
      verdicts.map(({ sessionId, conversationId, verdict }, i) => ({
        replay_id: before.id,
        place: before.done + i + 1,
        org_id: orgId,
        session_id: sessionId,
        conversation_id: conversationId,
        verdict,
      })),
    )
    .execute()
}

const replayedOf = (db: Db, { orgId, scope }: Viewer, replayId: string) =>
  db
    .selectFrom('flow_replayed')
    .where('flow_replayed.replay_id', '=', replayId)
    .where(belongsTo('flow_replayed.org_id', orgId))
    .where(seenThrough(scope, 'flow_replayed.conversation_id'))

/** The numbers of verdicts, for conversations that this viewer may see. */
export async function countVerdicts(db: Db, viewer: Viewer, replayId: string): Promise<Record<ReplayVerdict, number>> {
  const rows = await replayedOf(db, viewer, replayId)
    .select(['verdict', sql<number>`count(*)`.as('count')])
    .groupBy('verdict')
    .execute()
  const of = (verdict: ReplayVerdict) => Number(rows.find(row => row.verdict === verdict)?.count ?? 0)
  return { same: of('same'), words: of('words'), way: of('way'), end: of('end') }
}

/** The verdicts in the order of the replay. */
export const listVerdicts = (
  db: Db,
  viewer: Viewer,
  replayId: string,
  { after, differs, limit }: { after: number; differs: boolean; limit: number },
): Promise<{ place: number; sessionId: string }[]> => {
  const query = replayedOf(db, viewer, replayId)
    .select(['flow_replayed.place', 'flow_replayed.session_id as sessionId'])
    .where('flow_replayed.place', '>', after)
    .orderBy('flow_replayed.place')
    .limit(limit)
  return (differs ? query.where('flow_replayed.verdict', '<>', 'same') : query).execute()
}

/** Deletes old replays with their verdicts. Returns the number of replays. */
export async function deleteReplays(db: Db, before: string, limit: number): Promise<number> {
  const result = await db
    .deleteFrom('flow_replay')
    .where('id', 'in', db.selectFrom('flow_replay').select('id').where('started_at', '<', before).limit(limit))
    .executeTakeFirst()
  return Number(result.numDeletedRows)
}
