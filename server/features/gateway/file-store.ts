import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { GatewayFileTable } from './table.ts'

export type GatewayFile = Omit<GatewayFileTable, 'org_id'>

const columns = ['id', 'mime', 'name', 'size', 'sha256', 'path', 'header_file_id', 'created_at'] as const

export const insertFile = (db: Db, orgId: string, file: GatewayFile): Promise<unknown> =>
  db
    .insertInto('gateway_file')
    .values({ org_id: orgId, ...file })
    .execute()

/** Undefined also for a file that was uploaded before `after`. */
export const findFile = (db: Db, orgId: string, id: string, after: string): Promise<GatewayFile | undefined> =>
  db
    .selectFrom('gateway_file')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .where('created_at', '>', after)
    .executeTakeFirst()

export const saveHeaderFile = (db: Db, orgId: string, id: string, headerFileId: string): Promise<unknown> =>
  db
    .updateTable('gateway_file')
    .set({ header_file_id: headerFileId })
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .execute()

/** Returns the deleted file. Undefined: there was none. */
export const deleteFile = (
  db: OrgDb,
  orgId: string,
  id: string,
): Promise<{ id: string; path: string; size: number } | undefined> =>
  db
    .deleteFrom('gateway_file')
    .where('org_id', '=', orgId)
    .where('id', '=', id)
    .returning(['id', 'path', 'size'])
    .executeTakeFirst()

/** Lists files of all organizations that were uploaded before a time. */
export const listFilesBefore = (db: Db, before: string, limit: number): Promise<{ id: string; org_id: string }[]> =>
  db
    .selectFrom('gateway_file')
    .select(['id', 'org_id'])
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(limit)
    .execute()
