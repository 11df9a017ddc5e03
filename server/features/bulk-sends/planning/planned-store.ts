import { sql } from 'kysely'
import type { TemplateValues } from '#server/messaging/templates/freezing.ts'
import { belongsTo, bulkWrite } from '#server/platform/db/bulk.ts'
import type { Db } from '#server/platform/db/database.ts'
import { hotQuery } from '#server/platform/db/db.ts'

export interface PlannedRecipient {
  readonly id: string
  readonly phone: string
  readonly values: TemplateValues
  /** True if it was tried before, so that its message exists. */
  readonly wasTried: boolean
}

const selectPlanned = hotQuery<
  { orgId: string; sendId: string; now: string; limit: number },
  { id: string; given: string; template_values: string | null; handed_at: string | null }
>((db, p) =>
  db
    .selectFrom('bulk_recipient')
    .select(['id', 'given', 'template_values', 'handed_at'])
    .where('send_id', '=', p.sendId)
    .where('state', '=', 'planned')
    .where(eb => eb.or([eb('waits_until', 'is', null), eb('waits_until', '<=', p.now)]))
    .where(belongsTo('bulk_recipient.org_id', p.orgId))
    .orderBy('place')
    .limit(sql<number>`cast(${p.limit} as integer)`),
)

/** The next recipients, in the order of the plan. Those waiting for their local hours come last. */
export async function listPlanned(
  db: Db,
  orgId: string,
  sendId: string,
  { now, limit }: { now: string; limit: number },
): Promise<PlannedRecipient[]> {
  const rows = await selectPlanned(db, { orgId, sendId, now, limit })
  return rows.map(row => ({
    id: row.id,
    phone: row.given,
    values: JSON.parse(row.template_values ?? '{}'),
    wasTried: row.handed_at !== null,
  }))
}

/** Records until when these recipients wait for their local hours. */
export const saveWaiting = bulkWrite<{ id: string; until: string }, { orgId: string }, never>(
  (_db, rows, { orgId }) => {
    const values = sql.join(rows.map(row => sql`(${row.id}, ${row.until})`))
    return sql<never>`update bulk_recipient set waits_until = v.column2 from (values ${values}) as v
      where bulk_recipient.id = v.column1 and ${belongsTo('bulk_recipient.org_id', orgId)}`
  },
  'update',
)

/** The local hours of the first waiting recipient begin at this time. Undefined: nobody waits. */
export async function findFirstWaiting(db: Db, orgId: string, sendId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('bulk_recipient')
    .select(eb => eb.fn.min('waits_until').as('first'))
    .where('send_id', '=', sendId)
    .where('state', '=', 'planned')
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .executeTakeFirst()
  return row?.first ?? undefined
}

/** Ids of recipients whose messages are queued. Unconfirmed messages, which have a reason, are left out. */
export async function listQueued(db: Db, orgId: string, sendId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('bulk_recipient')
    .select('id')
    .where('send_id', '=', sendId)
    .where('state', '=', 'queued')
    .where('reason', 'is', null)
    .where(belongsTo('bulk_recipient.org_id', orgId))
    .limit(limit)
    .execute()
  return rows.map(row => row.id)
}

const selectUnconfirmed = hotQuery<{ orgId: string; sendId: string }, { count: number }>((db, p) =>
  db
    .selectFrom('bulk_recipient')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('send_id', '=', p.sendId)
    .where('state', '=', 'queued')
    .where('reason', 'is not', null)
    .where(belongsTo('bulk_recipient.org_id', p.orgId)),
)

export async function countUnconfirmed(db: Db, orgId: string, sendId: string): Promise<number> {
  const [row] = await selectUnconfirmed(db, { orgId, sendId })
  return Number(row?.count ?? 0)
}
