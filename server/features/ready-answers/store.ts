import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'

export interface StoredAnswer {
  readonly id: string
  readonly authorId: string
  readonly shared: boolean
  readonly shortcut: string
  readonly title: string
  readonly text: string
}

const selectAnswers = (db: Db, orgId: string) =>
  db
    .selectFrom('ready_answer')
    .select(['id', 'author_id', 'shared', 'shortcut', 'title', 'text'])
    .where('org_id', '=', orgId)

type Row = Awaited<ReturnType<ReturnType<typeof selectAnswers>['execute']>>[number]

const answerOf = ({ author_id: authorId, shared, ...rest }: Row): StoredAnswer => ({
  ...rest,
  authorId,
  shared: shared === 1,
})

/** Exported for tests of the statements. */
export const selectShared = (db: Db, orgId: string) => selectAnswers(db, orgId).where('shared', '=', 1)
export const selectOwn = (db: Db, orgId: string, authorId: string) =>
  selectAnswers(db, orgId).where('shared', '=', 0).where('author_id', '=', authorId)

const byShortcut = (a: StoredAnswer, b: StoredAnswer): number =>
  a.shortcut < b.shortcut ? -1 : a.shortcut > b.shortcut ? 1 : 0

/** Shared answers and the author's own, by shortcut, each up to its limit. */
export async function listAnswers(
  db: Db,
  orgId: string,
  { authorId, most }: { authorId: string; most: { shared: number; own: number } },
): Promise<StoredAnswer[]> {
  const shared = await selectShared(db, orgId).limit(most.shared).execute()
  const own = await selectOwn(db, orgId, authorId).limit(most.own).execute()
  return [...shared, ...own].map(answerOf).sort(byShortcut)
}

export async function findAnswer(db: Db, orgId: string, id: string): Promise<StoredAnswer | undefined> {
  const row = await selectAnswers(db, orgId).where('id', '=', id).executeTakeFirst()
  return row && answerOf(row)
}

const rowOf = ({ authorId, shared, ...rest }: StoredAnswer) => ({
  ...rest,
  author_id: authorId,
  shared: shared ? 1 : 0,
})

export const insertAnswer = (db: OrgDb, orgId: string, answer: StoredAnswer): Promise<unknown> =>
  db
    .insertInto('ready_answer')
    .values({ org_id: orgId, ...rowOf(answer) })
    .execute()

export const saveAnswer = (db: OrgDb, orgId: string, answer: StoredAnswer): Promise<unknown> =>
  db.updateTable('ready_answer').set(rowOf(answer)).where('org_id', '=', orgId).where('id', '=', answer.id).execute()

export const removeAnswer = (db: OrgDb, orgId: string, id: string): Promise<unknown> =>
  db.deleteFrom('ready_answer').where('org_id', '=', orgId).where('id', '=', id).execute()
