import type { Selectable } from 'kysely'
import type { FlowGraph } from '#shared/flow-graph.ts'
import type { FlowTrigger } from '#shared/flow-triggers.ts'
import { type Db, hotQuery } from '../db.ts'
import type { OrgDb } from '../events/writes.ts'
import type { FlowTable } from './table.ts'

/** A flow without what is drawn. */
export interface FlowHead {
  readonly id: string
  readonly name: string
  readonly position: number
  readonly isEnabled: boolean
  readonly revision: number
  /** null: never published. */
  readonly publishedRevision: number | null
  readonly version: number | null
  readonly triggers: readonly FlowTrigger[]
  readonly editedAt: string
  readonly editorName: string
}

export interface StoredFlow extends FlowHead {
  readonly graph: FlowGraph
}

const headColumns = [
  'id',
  'name',
  'position',
  'is_enabled',
  'triggers',
  'revision',
  'published_revision',
  'version',
  'edited_at',
  'editor_name',
] as const

const headOf = (row: Pick<Selectable<FlowTable>, (typeof headColumns)[number]>): FlowHead => ({
  id: row.id,
  name: row.name,
  position: row.position,
  isEnabled: row.is_enabled === 1,
  revision: row.revision,
  publishedRevision: row.published_revision,
  version: row.version,
  triggers: JSON.parse(row.triggers),
  editedAt: row.edited_at,
  editorName: row.editor_name,
})

/** In their order. */
export async function listFlows(db: Db, orgId: string, limit: number): Promise<FlowHead[]> {
  const rows = await db
    .selectFrom('flow')
    .select(headColumns)
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .orderBy('position')
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(headOf)
}

export async function findFlow(db: Db, orgId: string, id: string): Promise<StoredFlow | undefined> {
  const row = await db
    .selectFrom('flow')
    .select([...headColumns, 'graph'])
    .where('id', '=', id)
    .where('org_id', '=', orgId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row && { ...headOf(row), graph: JSON.parse(row.graph) }
}

interface Editor {
  readonly id: string
  readonly name: string
  readonly at: string
}

export async function insertFlow(
  db: OrgDb,
  orgId: string,
  flow: Pick<StoredFlow, 'id' | 'name' | 'position' | 'graph' | 'triggers'>,
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
      graph: JSON.stringify(flow.graph),
      triggers: JSON.stringify(flow.triggers),
      revision: 1,
      published_revision: null,
      version: null,
      edited_at: by.at,
      editor_id: by.id,
      editor_name: by.name,
      created_at: by.at,
      deleted_at: null,
    })
    .execute()
}

/** Saves a draft as the revision after the one that is named, which the caller has looked at in this transaction. */
export async function saveDraft(
  db: OrgDb,
  orgId: string,
  flow: Pick<StoredFlow, 'id' | 'name' | 'graph' | 'triggers' | 'revision'>,
  by: Editor,
): Promise<void> {
  await db
    .updateTable('flow')
    .set({
      name: flow.name,
      graph: JSON.stringify(flow.graph),
      triggers: JSON.stringify(flow.triggers),
      revision: flow.revision + 1,
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
    .set({ version, published_revision: revision, is_enabled: 1 })
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
