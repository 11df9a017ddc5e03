import type { Selectable } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { readGraph, readTriggers } from '#shared/flows/exchange.ts'
import type { FlowGraph } from '#shared/flows/graph.ts'
import type { FlowTrigger } from '#shared/flows/triggers/triggers.ts'
import type { WireGraph, WireTrigger } from '#shared/flows/wire.ts'
import type { FlowTable } from './table.ts'

/** A flow without its graph. */
export interface FlowHead {
  readonly id: string
  readonly name: string
  readonly position: number
  readonly isEnabled: boolean
  readonly revision: number
  /** The newest revision with the content of the published version; null: never published. */
  readonly publishedRevision: number | null
  readonly version: number | null
  readonly publishedAt: string | null
  readonly limitedAt: string | null
  readonly wireTriggers: readonly WireTrigger[]
  readonly triggers: readonly FlowTrigger[]
  readonly editedAt: string
  readonly editorName: string
}

/** With its graph in wire format and parsed. */
export interface StoredFlow extends FlowHead {
  readonly wireGraph: WireGraph
  readonly graph: FlowGraph
}

const headColumns = [
  'flow.id',
  'flow.name',
  'flow.position',
  'flow.is_enabled',
  'flow.triggers',
  'flow.revision',
  'flow.published_revision',
  'flow.version',
  'flow.limited_at',
  'flow.edited_at',
  'flow.editor_name',
  'flow_version.published_at',
] as const
type HeadRow = Omit<Selectable<FlowTable>, 'org_id' | 'graph' | 'editor_id' | 'created_at' | 'deleted_at'> & {
  readonly published_at: string | null
}

const headOf = (row: HeadRow): FlowHead => ({
  id: row.id,
  name: row.name,
  position: row.position,
  isEnabled: row.is_enabled === 1,
  revision: row.revision,
  publishedRevision: row.published_revision,
  version: row.version,
  publishedAt: row.published_at,
  limitedAt: row.limited_at,
  ...triggersOf(row.triggers),
  editedAt: row.edited_at,
  editorName: row.editor_name,
})

const triggersOf = (text: string) => {
  const wireTriggers: WireTrigger[] = JSON.parse(text)
  return { wireTriggers, triggers: readTriggers(wireTriggers) }
}
const graphOf = (text: string) => {
  const wireGraph: WireGraph = JSON.parse(text)
  return { wireGraph, graph: readGraph(wireGraph) }
}

const flows = (db: Db, orgId: string) =>
  db
    .selectFrom('flow')
    .leftJoin('flow_version', join =>
      join.onRef('flow_version.flow_id', '=', 'flow.id').onRef('flow_version.version', '=', 'flow.version'),
    )
    .where('flow.org_id', '=', orgId)
    .where('flow.deleted_at', 'is', null)

/** The flows in the given order. The triggers of one flow may take a quarter of a megabyte. */
export async function listFlows(db: Db, orgId: string, ids: readonly string[]): Promise<FlowHead[]> {
  const rows = await flows(db, orgId)
    .select(headColumns)
    .where('flow.id', 'in', ids)
    .orderBy('flow.position')
    .orderBy('flow.id')
    .execute()
  return rows.map(headOf)
}

/** Names and positions, in order. */
export const listPlaces = async (
  db: Db,
  orgId: string,
  { offset = 0, limit }: { readonly offset?: number; readonly limit: number },
): Promise<Pick<FlowHead, 'id' | 'name' | 'position' | 'version' | 'isEnabled'>[]> => {
  const rows = await flows(db, orgId)
    .select(['flow.id', 'flow.name', 'flow.position', 'flow.version', 'flow.is_enabled'])
    .orderBy('flow.position')
    .orderBy('flow.id')
    .offset(offset)
    .limit(limit)
    .execute()
  return rows.map(({ is_enabled, ...row }) => ({ ...row, isEnabled: is_enabled === 1 }))
}

export async function findFlow(db: Db, orgId: string, id: string): Promise<StoredFlow | undefined> {
  const row = await flows(db, orgId)
    .select([...headColumns, 'flow.graph'])
    .where('flow.id', '=', id)
    .executeTakeFirst()
  return row && { ...headOf(row), ...graphOf(row.graph) }
}

/** Undefined: the flow was deleted. */
export const findFlowName = async (db: Db, orgId: string, id: string): Promise<string | undefined> =>
  (await flows(db, orgId).select('flow.name').where('flow.id', '=', id).executeTakeFirst())?.name

export const hasFlow = async (db: Db, orgId: string, id: string): Promise<boolean> =>
  (await flows(db, orgId).select('flow.id').where('flow.id', '=', id).executeTakeFirst()) !== undefined

interface Editor {
  readonly id: string
  readonly name: string
  readonly at: string
}

export async function insertFlow(
  db: OrgDb,
  orgId: string,
  flow: Pick<StoredFlow, 'id' | 'name' | 'position' | 'wireGraph' | 'wireTriggers'>,
  by: Editor,
): Promise<void> {
  await db
    .insertInto('flow')
    .values({
      id: flow.id,
      org_id: orgId,
      name: flow.name,
      position: flow.position,
      is_enabled: 0,
      graph: JSON.stringify(flow.wireGraph),
      triggers: JSON.stringify(flow.wireTriggers),
      revision: 1,
      published_revision: null,
      version: null,
      limited_at: null,
      edited_at: by.at,
      editor_id: by.id,
      editor_name: by.name,
      created_at: by.at,
      deleted_at: null,
    })
    .execute()
}

/** Saves a draft as a new revision. The caller has read the one before in this transaction. */
export async function saveDraft(
  db: OrgDb,
  orgId: string,
  flow: Pick<StoredFlow, 'id' | 'name' | 'wireGraph' | 'wireTriggers' | 'revision' | 'publishedRevision'>,
  by: Editor,
): Promise<void> {
  await db
    .updateTable('flow')
    .set({
      name: flow.name,
      graph: JSON.stringify(flow.wireGraph),
      triggers: JSON.stringify(flow.wireTriggers),
      revision: flow.revision,
      published_revision: flow.publishedRevision,
      edited_at: by.at,
      editor_id: by.id,
      editor_name: by.name,
    })
    .where('id', '=', flow.id)
    .where('org_id', '=', orgId)
    .execute()
}

export async function setPublished(
  db: OrgDb,
  orgId: string,
  { id, version, revision }: { id: string; version: number; revision: number },
): Promise<void> {
  await db
    .updateTable('flow')
    .set({ version, published_revision: revision, is_enabled: 1, limited_at: null })
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .execute()
}

export async function setEnabled(db: OrgDb, orgId: string, id: string, isEnabled: boolean): Promise<void> {
  await db
    .updateTable('flow')
    .set({ is_enabled: isEnabled ? 1 : 0 })
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .execute()
}

/** Records the time only the first time. */
export async function markLimited(db: OrgDb, orgId: string, ids: readonly string[], at: string): Promise<void> {
  await db
    .updateTable('flow')
    .set({ limited_at: at })
    .where('org_id', '=', orgId)
    .where('id', 'in', ids)
    .where('limited_at', 'is', null)
    .execute()
}

export async function setPosition(db: OrgDb, orgId: string, id: string, position: number): Promise<void> {
  await db.updateTable('flow').set({ position }).where('id', '=', id).where('org_id', '=', orgId).execute()
}

export async function setDeleted(db: OrgDb, orgId: string, id: string, at: string): Promise<void> {
  await db
    .updateTable('flow')
    .set({ deleted_at: at, is_enabled: 0 })
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .execute()
}

/** The versions that messages may start, in the order of their flows. */
export const listLive = hotQuery((db, p: { orgId: string }) =>
  db
    .selectFrom('flow')
    .select(['id', 'name', 'version'])
    .where('org_id', '=', p.orgId)
    .where('is_enabled', '=', 1)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('id'),
)
