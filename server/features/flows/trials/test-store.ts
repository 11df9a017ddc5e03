import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { readGraph } from '#shared/flows/exchange.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import type { WireGraph } from '#shared/flows/wire.ts'

/** The test of a draft on its author's own phone. */
export interface TestHead {
  readonly id: string
  readonly flowId: string
  readonly code: string
  readonly name: string
  readonly authorId: string
  readonly authorName: string
  readonly createdAt: string
  readonly endsAt: string
}

/** With the graph at the start of the test. */
export interface StoredTest extends TestHead {
  readonly wireGraph: WireGraph
  readonly graph: FlowGraph
}

const heads = (db: Db, orgId: string) =>
  db
    .selectFrom('flow_test')
    .select([
      'id',
      'flow_id as flowId',
      'code',
      'name',
      'author_id as authorId',
      'author_name as authorName',
      'created_at as createdAt',
      'ends_at as endsAt',
    ])
    .where('org_id', '=', orgId)

export async function findTest(db: Db, orgId: string, id: string): Promise<StoredTest | undefined> {
  const row = await heads(db, orgId).select('graph').where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const wireGraph: WireGraph = JSON.parse(row.graph)
  return { ...row, wireGraph, graph: readGraph(wireGraph) }
}

/** The running test with this code; undefined if it has ended or never existed. */
export const findOpenByCode = (db: Db, orgId: string, code: string, now: string): Promise<TestHead | undefined> =>
  heads(db, orgId).where('code', '=', code).where('ends_at', '>', now).executeTakeFirst()

/** A member's newest running test of a flow. */
export const findOpenOf = (
  db: Db,
  orgId: string,
  { flowId, authorId, now }: { flowId: string; authorId: string; now: string },
): Promise<TestHead | undefined> =>
  heads(db, orgId)
    .where('flow_id', '=', flowId)
    .where('author_id', '=', authorId)
    .where('ends_at', '>', now)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()

export async function insertTest(
  db: OrgDb,
  orgId: string,
  { wireGraph, ...test }: TestHead & Pick<StoredTest, 'wireGraph'>,
): Promise<void> {
  await db
    .insertInto('flow_test')
    .values({
      id: test.id,
      org_id: orgId,
      flow_id: test.flowId,
      code: test.code,
      name: test.name,
      graph: JSON.stringify(wireGraph),
      author_id: test.authorId,
      author_name: test.authorName,
      created_at: test.createdAt,
      ends_at: test.endsAt,
    })
    .execute()
}

/** Ends a test, so that its code starts nothing. */
export async function endTest(db: OrgDb, orgId: string, id: string, at: string): Promise<void> {
  await db.updateTable('flow_test').set({ ends_at: at }).where('id', '=', id).where('org_id', '=', orgId).execute()
}

/** Sessions of a test in conversations that this viewer may see, newest first. */
export const listTestRuns = (
  db: Db,
  { orgId, scope }: Viewer,
  testId: string,
  limit: number,
): Promise<{ id: string; conversationId: string; endedAt: string | null }[]> =>
  db
    .selectFrom('flow_session')
    .select(['flow_session.id', 'flow_session.conversation_id as conversationId', 'flow_session.ended_at as endedAt'])
    .where('flow_session.test_id', '=', testId)
    .where('flow_session.org_id', '=', orgId)
    .where(seenThrough(scope, 'flow_session.conversation_id'))
    .orderBy('flow_session.id', 'desc')
    .limit(limit)
    .execute()

/** Deletes old tests, whose sessions were deleted before. Returns the number of tests. */
export async function deleteTests(db: Db, before: string, limit: number): Promise<number> {
  const old = db.selectFrom('flow_test').select('id').where('created_at', '<', before).limit(limit)
  const result = await db.deleteFrom('flow_test').where('id', 'in', old).executeTakeFirst()
  return Number(result.numDeletedRows)
}
