import { sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { ExportFailure } from '#shared/stats/export.ts'
import type { ShowPart, StatsFilter } from '#shared/stats/filter.ts'
import type { StatsSummary } from '#shared/stats/summary.ts'
import type { SegmentPosition } from '../cohort-store.ts'
import type { StatsExportTable } from './table.ts'

export interface Author {
  readonly kind: 'person' | 'key'
  readonly id: string
}

/** The stored part of a request for an export. */
interface ExportRequest {
  readonly filter: StatsFilter & ShowPart
  readonly unknown: StatsSummary['unknown']
}

export interface StoredExport extends Omit<StatsExportTable, 'done' | 'parts' | 'bytes' | 'request'> {
  readonly request: ExportRequest
  readonly done: number
  readonly parts: number
  readonly bytes: number
}

const selectExports = (db: Db, orgId: string) => db.selectFrom('stats_export').selectAll().where('org_id', '=', orgId)

const readExport = <Row extends { request: string }>(row: Row) => ({
  ...row,
  request: JSON.parse(row.request) as ExportRequest,
})

export async function findExport(db: Db, orgId: string, id: string): Promise<StoredExport | undefined> {
  const row = await selectExports(db, orgId).where('id', '=', id).executeTakeFirst()
  return row && readExport(row)
}

/** Newest first. */
export async function listExportsOf(
  db: Db,
  orgId: string,
  { kind, id }: Author,
  limit: number,
): Promise<StoredExport[]> {
  const rows = await selectExports(db, orgId)
    .where('author_kind', '=', kind)
    .where('author_id', '=', id)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return rows.map(readExport)
}

/** The number and size of an organization's exports. */
export async function findExportUse(db: Db, orgId: string): Promise<{ count: number; running: number; bytes: number }> {
  const row = await db
    .selectFrom('stats_export')
    .where('org_id', '=', orgId)
    .select(eb => [
      eb.fn.countAll<number>().as('count'),
      sql<number>`coalesce(sum(case when state = 'running' then 1 else 0 end), 0)`.as('running'),
      sql<number>`coalesce(sum(bytes), 0)`.as('bytes'),
    ])
    .executeTakeFirstOrThrow()
  return { count: Number(row.count), running: Number(row.running), bytes: Number(row.bytes) }
}

type NewExport = Pick<
  StatsExportTable,
  'id' | 'author_kind' | 'author_id' | 'author_name' | 'language' | 'first_day' | 'last_day' | 'is_own' | 'created_at'
> & { readonly request: ExportRequest }

export const insertExport = (db: OrgDb, orgId: string, row: NewExport): Promise<unknown> =>
  db
    .insertInto('stats_export')
    .values({ ...row, request: JSON.stringify(row.request), org_id: orgId, state: 'running' })
    .execute()

export const updateExport = (
  db: OrgDb,
  orgId: string,
  id: string,
  changes: Partial<Pick<StatsExportTable, 'rights' | 'row_count' | 'is_own'>>,
): Promise<unknown> =>
  db.updateTable('stats_export').set(changes).where('org_id', '=', orgId).where('id', '=', id).execute()

/** Adds lines to a file, and how far it is. */
export async function insertPart(
  db: OrgDb,
  orgId: string,
  one: StoredExport,
  { body, rows, last }: { body: Uint8Array; rows: number; last: SegmentPosition | undefined },
): Promise<void> {
  await db
    .insertInto('stats_export_part')
    .values({ export_id: one.id, org_id: orgId, number: one.parts, body })
    .execute()
  await db
    .updateTable('stats_export')
    .set({
      parts: one.parts + 1,
      done: one.done + rows,
      bytes: one.bytes + body.byteLength,
      ...(last ? { place_at: last.started_at, place_id: last.id } : {}),
    })
    .where('org_id', '=', orgId)
    .where('id', '=', one.id)
    .execute()
}

const deleteParts = (db: OrgDb, orgId: string, ids: readonly string[]) =>
  db.deleteFrom('stats_export_part').where('org_id', '=', orgId).where('export_id', 'in', ids).execute()

const nothingWritten = {
  parts: 0,
  done: 0,
  bytes: 0,
  place_at: null,
  place_id: null,
  row_count: null,
  rights: null,
} as const

/** Ends an export. Unless it is done, deletes what was written. */
export async function endExport(
  db: OrgDb,
  orgId: string,
  id: string,
  { state, failure = null, at }: { state: 'done' | 'stopped' | 'failed'; failure?: ExportFailure | null; at: string },
): Promise<void> {
  if (state !== 'done') await deleteParts(db, orgId, [id])
  await db
    .updateTable('stats_export')
    .set({ state, failure, ended_at: at, ...(state === 'done' ? {} : { parts: 0, bytes: 0 }) })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()
}

/** Running ones begin again, finished ones have no file any more. */
export async function withdrawExports(db: OrgDb, orgId: string): Promise<void> {
  const rows = await db
    .selectFrom('stats_export')
    .select(['id', 'state'])
    .where('org_id', '=', orgId)
    .where('state', 'in', ['running', 'done'])
    .execute()
  const idsOf = (state: string) => rows.filter(row => row.state === state).map(({ id }) => id)
  if (!rows.length) return
  await deleteParts(
    db,
    orgId,
    rows.map(({ id }) => id),
  )
  const [running, done] = [idsOf('running'), idsOf('done')]
  if (running.length)
    await db
      .updateTable('stats_export')
      .set(nothingWritten)
      .where('org_id', '=', orgId)
      .where('id', 'in', running)
      .execute()
  if (done.length)
    await db
      .updateTable('stats_export')
      .set({ ...nothingWritten, state: 'failed', failure: 'erased' })
      .where('org_id', '=', orgId)
      .where('id', 'in', done)
      .execute()
}

/** Parts go with their export. */
export const deleteExports = (db: OrgDb, orgId: string, ids: readonly string[]): Promise<unknown> =>
  db.deleteFrom('stats_export').where('org_id', '=', orgId).where('id', 'in', ids).execute()

export const findPart = (db: Db, orgId: string, id: string, number: number): Promise<Uint8Array | undefined> =>
  db
    .selectFrom('stats_export_part')
    .select('body')
    .where('org_id', '=', orgId)
    .where('export_id', '=', id)
    .where('number', '=', number)
    .executeTakeFirst()
    .then(row => row?.body)

/** Lists exports of all organizations that ended before a time. */
export const listEndedBefore = (db: Db, before: string, limit: number) =>
  db
    .selectFrom('stats_export')
    .select(['id', 'org_id'])
    .where('state', '<>', 'running')
    .where('ended_at', '<', before)
    .limit(limit)
    .execute()
