import type { FlowGraph } from '#shared/flow-graph.ts'
import type { FlowTrigger } from '#shared/flow-triggers.ts'
import type { Db } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'

export interface VersionHead {
  readonly version: number
  readonly name: string
  readonly note: string | null
  readonly publishedAt: string
  readonly by: string
}

export interface StoredVersion extends VersionHead {
  readonly graph: FlowGraph
  readonly triggers: FlowTrigger[]
}

const heads = (db: Db, orgId: string, flowId: string) =>
  db
    .selectFrom('flow_version')
    .select(['version', 'name', 'note', 'published_at as publishedAt', 'author_name as by'])
    .where('flow_id', '=', flowId)
    .where('org_id', '=', orgId)

/** Newest first. */
export const listVersions = (
  db: Db,
  orgId: string,
  flowId: string,
  { offset, limit }: { offset: number; limit: number },
): Promise<VersionHead[]> => heads(db, orgId, flowId).orderBy('version', 'desc').offset(offset).limit(limit).execute()

export async function findVersion(
  db: Db,
  orgId: string,
  flowId: string,
  version: number,
): Promise<StoredVersion | undefined> {
  const row = await heads(db, orgId, flowId)
    .select(['graph', 'triggers'])
    .where('version', '=', version)
    .executeTakeFirst()
  return row && { ...row, graph: JSON.parse(row.graph), triggers: JSON.parse(row.triggers) }
}

export async function insertVersion(
  db: OrgDb,
  orgId: string,
  flowId: string,
  {
    version,
    name,
    graph,
    triggers,
    note,
    publishedAt,
    by,
  }: Omit<StoredVersion, 'triggers'> & {
    readonly triggers: readonly FlowTrigger[]
  },
): Promise<void> {
  await db
    .insertInto('flow_version')
    .values({
      flow_id: flowId,
      version,
      org_id: orgId,
      name,
      graph: JSON.stringify(graph),
      triggers: JSON.stringify(triggers),
      note,
      published_at: publishedAt,
      author_name: by,
    })
    .execute()
}
