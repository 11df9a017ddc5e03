import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#server/platform/db/database.ts'
import type { MessageType } from '#shared/inbox/message-kinds.ts'
import type { Narrowing } from './narrowing.ts'

interface Range {
  readonly before: number
  readonly limit: number
}

const selectNewest = (db: Db, orgId: string, { before, limit }: Range) =>
  db
    .selectFrom('message')
    .select('seq')
    .where('org_id', '=', orgId)
    .where('seq', '<', before)
    .orderBy('seq', 'desc')
    .limit(limit)

const seqsOf = (rows: readonly { seq: number }[]): number[] => rows.map(row => row.seq)

/**
 * The latest arrivals of an organization before `before`. @returns `seq` of messages; the caller checks who may see
 * them
 */
export const newestSeqs = async (db: Db, orgId: string, range: Range): Promise<number[]> =>
  seqsOf(await selectNewest(db, orgId, range).execute())

// Must equal the indexes' expressions. A parameter would keep them from being used.
const isFailed: RawBuilder<boolean> = sql<boolean>`status = 'failed'`
const isSeldom: RawBuilder<boolean> = sql<boolean>`type not in ('text', 'activity')`

/** The newest messages of an organization that could not be sent. @see newestSeqs */
const newestFailed = async (db: Db, orgId: string, range: Range): Promise<number[]> =>
  seqsOf(await selectNewest(db, orgId, range).where(isFailed).execute())

/** The newest messages of these types. Each type is read in order from an index. @see newestSeqs */
async function newestOfKinds(
  db: Db,
  orgId: string,
  { types, among, ...range }: Range & { readonly types: readonly MessageType[]; readonly among: RawBuilder<boolean> },
): Promise<number[]> {
  const found: number[] = []
  for (const type of types)
    found.push(...seqsOf(await selectNewest(db, orgId, range).where('type', '=', type).where(among).execute()))
  return found.sort((a, b) => b - a).slice(0, range.limit)
}

/** The fastest query for the newest candidates without words. Returns a superset of what matches. */
export function newestThatMay({ types = [], statuses = [] }: Narrowing) {
  const areFailed = statuses.length === 1 && statuses[0] === 'failed'
  const areSeldom = !types.includes('text') && !types.includes('activity')
  if (types.length && (areFailed || areSeldom))
    return (db: Db, orgId: string, range: Range) =>
      newestOfKinds(db, orgId, { ...range, types, among: areFailed ? isFailed : isSeldom })
  return areFailed ? newestFailed : newestSeqs
}
