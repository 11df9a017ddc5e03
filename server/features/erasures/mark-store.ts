import { sql } from 'kysely'
import { lookupQuery } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { OptOut } from '#shared/opt-outs/api.ts'
import type { BlockMarkTable, OptOutMarkTable } from './table.ts'

/** A fact about an erased person: `source` of an opt-out, `by` of a block. */
interface Mark {
  readonly hash: string
  readonly erasure_id: string
  readonly at: string
  readonly source: OptOut['source'] | null
  readonly by: string | null
}

type Source = Mark['source']

export const findMarks = lookupQuery<{ orgId: string }, Mark>((db, hashes, { orgId }) =>
  db
    .selectFrom('opt_out_mark')
    .select([
      'hash',
      'erasure_id',
      'at',
      sql<Source>`source`.as('source'),
      sql<string | null>`cast(null as text)`.as('by'),
    ])
    .where('org_id', '=', orgId)
    .where('hash', 'in', hashes)
    .unionAll(
      db
        .selectFrom('block_mark')
        .select([
          'hash',
          'erasure_id',
          'at',
          sql<Source>`cast(null as text)`.as('source'),
          sql<string | null>`blocked_by`.as('by'),
        ])
        .where('org_id', '=', orgId)
        .where('hash', 'in', hashes),
    ),
)

const anyOptOut = hotQuery<{ orgId: string }, { hash: string }>((db, { orgId }) =>
  db.selectFrom('opt_out_mark').select('hash').where('org_id', '=', orgId).limit(1),
)
const anyBlock = hotQuery<{ orgId: string }, { hash: string }>((db, { orgId }) =>
  db.selectFrom('block_mark').select('hash').where('org_id', '=', orgId).limit(1),
)

export const hasMarks = async (db: Db, orgId: string): Promise<boolean> =>
  (await anyOptOut(db, { orgId })).length > 0 || (await anyBlock(db, { orgId })).length > 0

type Hashes = { readonly hashes: readonly string[] }

export async function insertOptOutMarks(
  db: OrgDb,
  orgId: string,
  { hashes, ...facts }: Hashes & Pick<OptOutMarkTable, 'erasure_id' | 'at' | 'source'>,
): Promise<void> {
  if (!hashes.length) return
  await db
    .insertInto('opt_out_mark')
    .values(hashes.map(hash => ({ org_id: orgId, hash, ...facts })))
    .onConflict(conflict => conflict.columns(['org_id', 'hash']).doNothing())
    .execute()
}

export async function insertBlockMarks(
  db: OrgDb,
  orgId: string,
  { hashes, ...facts }: Hashes & Pick<BlockMarkTable, 'erasure_id' | 'at' | 'blocked_by'>,
): Promise<void> {
  if (!hashes.length) return
  await db
    .insertInto('block_mark')
    .values(hashes.map(hash => ({ org_id: orgId, hash, ...facts })))
    .onConflict(conflict => conflict.columns(['org_id', 'hash']).doNothing())
    .execute()
}

/** All marks of these persons. */
export async function deleteMarks(db: OrgDb, orgId: string, erasureIds: readonly string[]): Promise<void> {
  if (!erasureIds.length) return
  for (const table of ['opt_out_mark', 'block_mark'] as const)
    await db.deleteFrom(table).where('org_id', '=', orgId).where('erasure_id', 'in', erasureIds).execute()
}
