import { sql } from 'kysely'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type BulkSendState, recipientStates } from '#shared/bulk-sends/states.ts'
import type { PeopleTags } from '../rights/people-tags.ts'
import type { Counts } from '../stored-send.ts'

/** The columns of a send that sums of a period need. */
export interface BegunSend {
  readonly id: string
  readonly at: string
  readonly state: BulkSendState
  readonly creatorId: string
  readonly isTest: boolean
  readonly peopleTags: PeopleTags
  readonly optedOut: number
  readonly counts: Counts
}

interface Slice {
  readonly since: string
  readonly until: string
  /** The last send of the page before. */
  readonly after?: { readonly at: string; readonly id: string } | undefined
  readonly limit: number
}

/** Must be spelled like the expression of the index `bulk_send_begun`. */
const begunAt = sql<string>`coalesce(started_at, created_at)`

/** Sends that began in a period, without tests, the newest first. Exported for tests of the statement. */
export const selectBegun = (db: Db, orgId: string, { since, until, after, limit }: Slice) =>
  db
    .selectFrom('bulk_send')
    .select(['id', begunAt.as('at'), 'state', 'creator_id', 'people_tags', 'opted_out', ...recipientStates])
    .where('org_id', '=', orgId)
    .where('is_test', '=', 0)
    .where(begunAt, '>=', since)
    .where(begunAt, '<', until)
    .$if(after !== undefined, query =>
      query.where(({ eb, tuple }) => eb(sql`(${begunAt}, id)`, '<', tuple(after?.at ?? '', after?.id ?? ''))),
    )
    .orderBy(begunAt, 'desc')
    .orderBy('id', 'desc')
    .limit(limit)

export async function listBegun(db: Db, orgId: string, slice: Slice): Promise<BegunSend[]> {
  const rows = await selectBegun(db, orgId, slice).execute()
  return rows.map(row => ({
    id: row.id,
    at: row.at,
    state: row.state,
    creatorId: row.creator_id,
    isTest: false,
    peopleTags: row.people_tags === null ? null : JSON.parse(row.people_tags),
    optedOut: row.opted_out,
    counts: Object.fromEntries(recipientStates.map(state => [state, row[state]])) as Counts,
  }))
}

/** Names of the templates of these sends, by send. */
export async function findTemplateNames(
  db: Db,
  orgId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (!ids.length) return new Map()
  const rows = await db
    .selectFrom('bulk_send')
    .select(['id', 'template'])
    .where('id', 'in', ids)
    .where(belongsTo('bulk_send.org_id', orgId))
    .execute()
  return new Map(rows.map(({ id, template }) => [id, (JSON.parse(template) as { name: string }).name]))
}
