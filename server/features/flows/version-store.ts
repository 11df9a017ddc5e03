import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { readGraph, readTriggers } from '#shared/flows/exchange.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'
import type { WireGraph, WireTrigger } from '#shared/flows/wire.ts'

interface VersionHead {
  readonly version: number
  readonly name: string
  readonly note: string | null
  readonly publishedAt: string
  readonly by: string
}

/** A published version in wire format. */
interface WrittenVersion extends VersionHead {
  readonly wireGraph: WireGraph
  readonly wireTriggers: readonly WireTrigger[]
}
/** With its parsed graph. */
export interface StoredVersion extends WrittenVersion {
  readonly graph: FlowGraph
  readonly triggers: readonly FlowTrigger[]
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
  if (!row) return undefined
  const wireGraph: WireGraph = JSON.parse(row.graph)
  const wireTriggers: WireTrigger[] = JSON.parse(row.triggers)
  return { ...row, wireGraph, wireTriggers, graph: readGraph(wireGraph), triggers: readTriggers(wireTriggers) }
}

export async function insertVersion(
  db: OrgDb,
  orgId: string,
  flowId: string,
  { version, name, wireGraph, wireTriggers, note, publishedAt, by }: WrittenVersion,
): Promise<void> {
  await db
    .insertInto('flow_version')
    .values({
      flow_id: flowId,
      version,
      org_id: orgId,
      name,
      graph: JSON.stringify(wireGraph),
      triggers: JSON.stringify(wireTriggers),
      note,
      published_at: publishedAt,
      author_name: by,
    })
    .execute()
}
