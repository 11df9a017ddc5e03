import { sql } from 'kysely'
import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CallFacts } from '#shared/flows/http/http.ts'
import type { CountedAtStep, CountedRuns } from '#shared/flows/runs/limits.ts'
import type { SessionState } from '#shared/flows/runs/runs.ts'

export interface RunHead {
  readonly id: string
  readonly flowId: string
  readonly version: number
  readonly conversationId: string
  readonly trigger: string
  readonly testId: string | null
  readonly state: SessionState
  readonly reason: string | null
  readonly steps: number
  readonly startedAt: string
  readonly endedAt: string | null
}

export interface RunStep {
  readonly place: number
  readonly nodeId: string
  readonly at: string
  readonly input: string | null
  readonly output: string | null
  readonly why: string | null
  readonly changes: Readonly<Record<string, { before: string | null; after: string }>>
  readonly messageId: string | null
  readonly call: CallFacts | null
}

const heads = (db: Db, { orgId, scope }: Viewer) =>
  db
    .selectFrom('flow_session')
    .select([
      'flow_session.id',
      'flow_session.flow_id as flowId',
      'flow_session.version',
      'flow_session.conversation_id as conversationId',
      'flow_session.trigger',
      'flow_session.test_id as testId',
      'flow_session.state',
      'flow_session.reason',
      'flow_session.steps',
      'flow_session.started_at as startedAt',
      'flow_session.ended_at as endedAt',
    ])
    .where('flow_session.org_id', '=', orgId)
    .where(seenThrough(scope, 'flow_session.conversation_id'))

interface RunPage {
  readonly flowId: string
  readonly offset: number
  readonly limit: number
}

/** Sessions of a flow in conversations that this viewer may see, newest first. */
export const listRuns = (db: Db, viewer: Viewer, { flowId, offset, limit }: RunPage): Promise<RunHead[]> =>
  heads(db, viewer)
    .where('flow_session.flow_id', '=', flowId)
    .orderBy('flow_session.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()

/** The sessions that a figure of the statistics counts, in a range. `until` is excluded. */
interface CountedRange {
  readonly counted: CountedRuns
  readonly since?: string | undefined
  readonly until?: string | undefined
}

/**
 * Selects the sessions that a figure counts, by when they began or ended, that this viewer may see. Exported for tests.
 */
export const selectCountedRuns = (
  db: Db,
  viewer: Viewer,
  { counted, since, until, flowId, offset, limit }: RunPage & CountedRange,
) => {
  const at = counted === 'started' ? 'flow_session.started_at' : 'flow_session.ended_at'
  return heads(db, viewer)
    .where('flow_session.flow_id', '=', flowId)
    .where('flow_session.test_id', 'is', null)
    .$if(counted !== 'started', query => query.where('flow_session.state', '=', counted as SessionState))
    .$if(since !== undefined, query => query.where(at, '>=', since as string))
    .$if(until !== undefined, query => query.where(at, '<', until as string))
    .orderBy(at, 'desc')
    .orderBy('flow_session.id', 'desc')
    .offset(offset)
    .limit(limit)
}

/** A figure of a step. `most`: the sessions by which it is counted. */
interface StepCounted {
  readonly step: string
  readonly counted: CountedAtStep
  readonly most: MostCounted
}

/** States of sessions that are not over. */
export const underWay = ['waitingAnswer', 'waitingTime', 'waitingCall', 'parked'] as const satisfies SessionState[]

export const findRun = (db: Db, viewer: Viewer, id: string): Promise<RunHead | undefined> =>
  heads(db, viewer).where('flow_session.id', '=', id).executeTakeFirst()

/** The next steps of a session after a position. The caller has checked visibility. */
export async function listSteps(
  db: Db,
  { orgId }: Viewer,
  { sessionId, after, limit }: { sessionId: string; after: number; limit: number },
): Promise<RunStep[]> {
  const rows = await db
    .selectFrom('flow_step')
    .select(['place', 'node_id', 'at', 'input', 'output', 'why', 'changes', 'message_id', 'call'])
    .where('session_id', '=', sessionId)
    .where('place', '>', after)
    .where('org_id', '=', orgId)
    .orderBy('place')
    .limit(limit)
    .execute()
  return rows.map(row => ({
    place: row.place,
    nodeId: row.node_id,
    at: row.at,
    input: row.input,
    output: row.output,
    why: row.why,
    changes: row.changes === null ? {} : JSON.parse(row.changes),
    messageId: row.message_id,
    call: row.call === null ? null : JSON.parse(row.call),
  }))
}

/** The session and step that sent a message. The caller checks visibility of the session. */
export const findSender = (
  db: Db,
  orgId: string,
  messageId: string,
): Promise<{ sessionId: string; place: number } | undefined> =>
  db
    .selectFrom('flow_step')
    .select(['session_id as sessionId', 'place'])
    .where('message_id', '=', messageId)
    .where('org_id', '=', orgId)
    .executeTakeFirst()

/** The number of steps of one kind. `ended`: the state of sessions whose last step it was. */
export interface StepCount {
  readonly nodeId: string
  readonly output: string | null
  readonly why: string | null
  readonly ended: SessionState | null
  readonly count: number
}

/** An answer, and when its question was asked. */
export interface TimedAnswer {
  readonly nodeId: string
  readonly askedAt: string
  readonly at: string
}

const answers = ['answered', 'chosen', 'otherAnswer', 'tooManyTries']

interface MostCounted {
  readonly runs: number
  readonly steps: number
}

/** The last sessions of a flow by which its steps are counted, within a limit of sessions and one of steps. */
const recentRuns = (db: Db, orgId: string, flowId: string, most: MostCounted) =>
  db
    .selectFrom(
      db
        .selectFrom('flow_session')
        .select(['id', 'steps', 'state', sql<number>`sum(steps) over (order by id desc)`.as('steps_so_far')])
        .where('org_id', '=', orgId)
        .where('flow_id', '=', flowId)
        .where('test_id', 'is', null)
        .orderBy('id', 'desc')
        .limit(most.runs)
        .as('newest'),
    )
    .select(['id', 'steps', 'state'])
    // The last one counts however many steps it has.
    .where(sql<boolean>`steps_so_far - steps < ${most.steps}`)

/** Counts in how many of a flow's last sessions each node was reached. */
export async function countReached(
  db: Db,
  orgId: string,
  flowId: string,
  most: MostCounted,
): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom(recentRuns(db, orgId, flowId, most).as('recent'))
    .innerJoin('flow_step', 'flow_step.session_id', 'recent.id')
    .select(['flow_step.node_id as nodeId', sql<number>`count(distinct recent.id)`.as('count')])
    .groupBy('flow_step.node_id')
    .execute()
  return new Map(rows.map(({ nodeId, count }) => [nodeId, Number(count)]))
}

/** Sessions of the last ones that came to a node, or ended there without the flow sending so. `figuresOf` counts the same. */
export const listRunsAtStep = (
  db: Db,
  viewer: Viewer,
  { flowId, offset, limit, step, counted, most }: RunPage & StepCounted,
): Promise<RunHead[]> =>
  heads(db, viewer)
    .innerJoin(recentRuns(db, viewer.orgId, flowId, most).as('recent'), 'recent.id', 'flow_session.id')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('flow_step')
          .select('flow_step.place')
          .whereRef('flow_step.session_id', '=', 'flow_session.id')
          .where('flow_step.node_id', '=', step)
          .$if(counted === 'gaveUp', query =>
            query
              .whereRef('flow_step.place', '=', 'flow_session.steps')
              .where('flow_session.state', 'not in', [...underWay, 'finished'])
              .where(({ eb, or }) =>
                or([
                  eb('flow_session.state', '!=', 'handedOff'),
                  eb('flow_step.output', 'is not', null),
                  eb('flow_step.why', 'is not', null),
                ]),
              ),
          ),
      ),
    )
    .orderBy('flow_session.id', 'desc')
    .offset(offset)
    .limit(limit)
    .execute()

/** Counts the steps of a flow's recent sessions by kind, and lists how long answers took. */
export async function countSteps(
  db: Db,
  orgId: string,
  flowId: string,
  most: MostCounted & { readonly answers: number },
): Promise<{ runs: number; counts: StepCount[]; answers: TimedAnswer[] }> {
  const recent = recentRuns(db, orgId, flowId, most)
  const taken = db
    .selectFrom(recent.as('recent'))
    .innerJoin('flow_step', 'flow_step.session_id', 'recent.id')
    .select(({ eb, ref }) => [
      'flow_step.node_id',
      'flow_step.output',
      'flow_step.why',
      eb.case().when('flow_step.place', '=', ref('recent.steps')).then(ref('recent.state')).end().as('ended'),
    ])
  const rows = await db
    .selectFrom(taken.as('taken'))
    .select(['node_id', 'output', 'why', 'ended', sql<number>`count(*)`.as('count')])
    .groupBy(['node_id', 'output', 'why', 'ended'])
    .execute()
  const timed = await db
    .selectFrom(recent.as('recent'))
    .innerJoin('flow_step', 'flow_step.session_id', 'recent.id')
    .innerJoin('flow_step as before', join =>
      join
        .onRef('before.session_id', '=', 'flow_step.session_id')
        .on('before.place', '=', sql<number>`flow_step.place - 1`),
    )
    .select(['flow_step.node_id as nodeId', 'before.at as askedAt', 'flow_step.at'])
    .where('flow_step.why', 'in', answers)
    .limit(most.answers)
    .execute()
  const { runs } = await db
    .selectFrom(recent.as('recent'))
    .select(sql<number>`count(*)`.as('runs'))
    .executeTakeFirstOrThrow()
  return {
    runs: Number(runs),
    counts: rows.map(({ node_id: nodeId, output, why, ended, count }) => ({
      nodeId,
      output,
      why,
      ended,
      count: Number(count),
    })),
    answers: timed,
  }
}

/** The first steps of these sessions, in order. The caller has checked visibility. */
export async function listStepsOf(
  db: Db,
  { orgId }: Pick<Viewer, 'orgId'>,
  sessionIds: readonly string[],
  most: number,
): Promise<ReadonlyMap<string, Pick<RunStep, 'nodeId' | 'at' | 'input' | 'output' | 'why'>[]>> {
  if (!sessionIds.length) return new Map()
  const rows = await db
    .selectFrom('flow_step')
    .select(['session_id as sessionId', 'node_id as nodeId', 'at', 'input', 'output', 'why'])
    .where('session_id', 'in', [...sessionIds])
    .where('place', '<=', most)
    .where('org_id', '=', orgId)
    .orderBy('session_id')
    .orderBy('place')
    .execute()
  return Map.groupBy(rows, ({ sessionId }) => sessionId)
}
