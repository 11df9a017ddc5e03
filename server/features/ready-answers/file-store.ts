import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { ReadyAnswerFileTable } from './table.ts'

export type StoredFile = Omit<ReadyAnswerFileTable, 'org_id' | 'answer_id'> & { readonly answerId: string }

const columns = ['answer_id', 'id', 'kind', 'mime', 'name', 'size', 'sha256', 'path', 'brought_by'] as const
type Row = Pick<ReadyAnswerFileTable, (typeof columns)[number]>
const fileOf = ({ answer_id: answerId, ...row }: Row): StoredFile => ({ ...row, answerId })

/** Files of these answers, at most one each. */
export async function listFiles(db: Db, orgId: string, answerIds: readonly string[]): Promise<StoredFile[]> {
  if (!answerIds.length) return []
  const rows = await db
    .selectFrom('ready_answer_file')
    .select(columns)
    .where('org_id', '=', orgId)
    .where('answer_id', 'in', answerIds)
    .execute()
  return rows.map(fileOf)
}

export const insertFile = (db: OrgDb, orgId: string, { answerId, ...file }: StoredFile): Promise<unknown> =>
  db
    .insertInto('ready_answer_file')
    .values({ ...file, org_id: orgId, answer_id: answerId })
    .execute()

/** Returns the deleted file. Undefined: there was none. */
export const deleteFile = (
  db: OrgDb,
  orgId: string,
  answerId: string,
): Promise<{ id: string; path: string; size: number } | undefined> =>
  db
    .deleteFrom('ready_answer_file')
    .where('org_id', '=', orgId)
    .where('answer_id', '=', answerId)
    .returning(['id', 'path', 'size'])
    .executeTakeFirst()
