import { sql } from 'kysely'
import { belongsTo } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import { curveLines } from '#shared/bulk-sends/curve.ts'
import type { CurveDelta } from './curve.ts'

/** Adds to the stretch of time that ends then. */
export async function addToCurve(
  db: OrgDb,
  orgId: string,
  sendId: string,
  { until, ...delta }: CurveDelta & { readonly until: string },
): Promise<void> {
  if (curveLines.every(line => !delta[line])) return
  await db
    .insertInto('bulk_send_curve')
    .values({ send_id: sendId, org_id: orgId, until, ...delta })
    .onConflict(conflict =>
      conflict
        .columns(['send_id', 'until'])
        .doUpdateSet(
          Object.fromEntries(
            curveLines.map(line => [line, sql`${sql.ref(`bulk_send_curve.${line}`)} + ${sql.ref(`excluded.${line}`)}`]),
          ),
        ),
    )
    .execute()
}

/** Exported for tests of the statement. */
export const selectCurve = (db: Db, orgId: string, sendId: string) =>
  db
    .selectFrom('bulk_send_curve')
    .select(['until', ...curveLines])
    .where('send_id', '=', sendId)
    .where(belongsTo('bulk_send_curve.org_id', orgId))
    .orderBy('until')

/** Changes of each stretch, in the order of time. */
export const listCurve = (db: Db, orgId: string, sendId: string) => selectCurve(db, orgId, sendId).execute()
