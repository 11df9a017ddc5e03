import { type Expression, sql } from 'kysely'
import { listedNumbers } from '#server/identity/numbers/listed-kind.ts'
import { seenThrough } from '#server/identity/visibility/condition.ts'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import {
  anyFree,
  anyTemplate,
  type Charge,
  charges,
  type SentCategory,
  type SentOutcome,
  type SentSource,
} from '#shared/stats/cost.ts'
import type { BilledSum } from './estimate.ts'

interface DayRange {
  readonly from: string
  readonly to: string
  /** Null: a number that the organization does not have. Undefined: all. */
  readonly connectionId?: string | null | undefined
}

/** Sums of a range of days, of the numbers whose conversations the inbox shows. */
const selectDays = (db: Db, orgId: string, { from, to, connectionId }: DayRange) =>
  db
    .selectFrom('sent_day')
    .where('org_id', '=', orgId)
    .where('day', '>=', from)
    .where('day', '<=', to)
    .where('connection_id', 'in', listedNumbers(orgId))
    .$if(connectionId !== undefined, query => query.where('connection_id', '=', connectionId ?? ''))

/** Sums by day, country, category, charge and source. Exported for tests of the statement. */
export const selectBilled = (db: Db, orgId: string, range: DayRange) =>
  selectDays(db, orgId, range)
    .select(['day', 'country', 'category', 'charge', 'source'])
    .select(({ fn }) => [fn.sum<number>('sent').as('sent'), fn.sum<number>('delivered').as('delivered')])
    .groupBy(['day', 'country', 'category', 'charge', 'source'])
    .orderBy('day')

export async function listBilled(db: Db, orgId: string, range: DayRange): Promise<BilledSum[]> {
  const rows = await selectBilled(db, orgId, range).execute()
  return rows.map(row => ({ ...row, sent: Number(row.sent), delivered: Number(row.delivered) }))
}

/** Sums of the counted messages that a query selects by id. */
export async function listBilledAmong(db: Db, orgId: string, ids: Expression<string>): Promise<BilledSum[]> {
  const rows = await db
    .selectFrom('sent_message')
    .select(['day', 'country', 'category', 'charge', 'source'])
    .select(({ fn }) => [
      fn.countAll<number>().as('sent'),
      sql<number>`sum(case when state in ('delivered', 'read') then 1 else 0 end)`.as('delivered'),
    ])
    .where('org_id', '=', orgId)
    .where('message_id', 'in', ids)
    .groupBy(['day', 'country', 'category', 'charge', 'source'])
    .orderBy('day')
    .execute()
  return rows.map(row => ({ ...row, sent: Number(row.sent), delivered: Number(row.delivered) }))
}

interface TemplateSum {
  readonly template: string
  readonly category: SentCategory
  readonly sent: number
  readonly delivered: number
  readonly read: number
  readonly failed: number
  readonly replied: number
  readonly optedOut: number
}

const counts = ['sent', 'delivered', 'read', 'failed', 'replied'] as const

/** Sums by template and category, those that were sent most often first. */
export async function listTemplateSums(db: Db, orgId: string, range: DayRange): Promise<TemplateSum[]> {
  const rows = await selectDays(db, orgId, range)
    .select(['template', 'category'])
    .select(({ fn }) => [...counts, 'opted_out' as const].map(name => fn.sum<number>(name).as(name)))
    .where('template', '<>', '')
    .groupBy(['template', 'category'])
    .execute()
  return rows
    .map(row => ({
      template: row.template,
      category: row.category,
      sent: Number(row.sent),
      delivered: Number(row.delivered),
      read: Number(row.read),
      failed: Number(row.failed),
      replied: Number(row.replied),
      optedOut: Number(row.opted_out),
    }))
    .sort((a, b) => b.sent - a.sent || a.template.localeCompare(b.template))
}

/** The first day of which anything was counted; undefined: nothing was. */
export async function findFirstDay(db: Db, orgId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('sent_day')
    .select('day')
    .where('org_id', '=', orgId)
    .orderBy('day')
    .limit(1)
    .executeTakeFirst()
  return row?.day
}

/** The messages that a figure counts. */
interface SentSelection extends DayRange {
  readonly template?: string | undefined
  readonly category?: SentCategory | undefined
  readonly country?: string | undefined
  readonly charge?: Charge | typeof anyFree | undefined
  readonly source?: SentSource | undefined
  readonly outcome: SentOutcome
}

/** The charges that a selection means; undefined: all. */
const chargesOf = ({ charge }: SentSelection): readonly Charge[] | undefined => {
  if (charge === anyFree) return charges.filter(one => one !== 'regular' && one !== 'none')
  return charge && [charge]
}

const columnOf = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  failed: 'failed',
  replied: 'replied',
  optedOut: 'opted_out',
} as const

/** Counts the messages of a figure, those of erased contacts included. */
export async function countSelected(db: Db, orgId: string, selection: SentSelection): Promise<number> {
  const { template, category, country, source, outcome } = selection
  const chosen = chargesOf(selection)
  const row = await selectDays(db, orgId, selection)
    .$if(template === anyTemplate, query => query.where('template', '<>', ''))
    .$if(template !== undefined && template !== anyTemplate, query => query.where('template', '=', template ?? ''))
    .$if(category !== undefined, query => query.where('category', '=', category as SentCategory))
    .$if(country !== undefined, query => query.where('country', '=', country ?? ''))
    .$if(source !== undefined, query => query.where('source', '=', source as SentSource))
    .$if(chosen !== undefined, query => query.where('charge', 'in', chosen ?? []))
    .select(({ fn }) => fn.sum<number | null>(columnOf[outcome]).as('count'))
    .executeTakeFirst()
  return Number(row?.count ?? 0)
}

/** The messages that a figure counts, the newest first. Exported for tests of the statement. */
export const selectSelected = (
  db: Db,
  { orgId, scope }: Viewer,
  selection: SentSelection,
  { offset, limit }: { offset: number; limit: number },
) => {
  const { from, to, connectionId, template, category, country, source, outcome } = selection
  const chosen = chargesOf(selection)
  return (
    db
      .selectFrom('sent_message')
      .select(['message_id', 'conversation_id', 'at', 'state', 'template', 'category', 'country', 'charge', 'replied'])
      .where('org_id', '=', orgId)
      // Days begin up to 14 hours before or after those of UTC: the index is by time.
      .where('at', '>=', new Date(Date.parse(from) - 86_400_000).toISOString())
      .where('at', '<', new Date(Date.parse(to) + 2 * 86_400_000).toISOString())
      .where('day', '>=', from)
      .where('day', '<=', to)
      .where('connection_id', 'in', listedNumbers(orgId))
      .where(seenThrough(scope, 'sent_message.conversation_id'))
      .$if(connectionId !== undefined, query => query.where('connection_id', '=', connectionId ?? ''))
      .$if(template !== undefined, query => query.where(sql<boolean>`template <> ''`))
      .$if(template !== undefined && template !== anyTemplate, query => query.where('template', '=', template ?? ''))
      .$if(category !== undefined, query => query.where('category', '=', category as SentCategory))
      .$if(country !== undefined, query => query.where('country', '=', country ?? ''))
      .$if(source !== undefined, query => query.where('source', '=', source as SentSource))
      .$if(chosen !== undefined, query => query.where('charge', 'in', chosen ?? []))
      .$if(outcome === 'delivered', query => query.where('state', 'in', ['delivered', 'read']))
      .$if(outcome === 'read' || outcome === 'failed', query => query.where('state', '=', outcome as 'read' | 'failed'))
      .$if(outcome === 'replied', query => query.where('replied', '=', 1))
      .$if(outcome === 'optedOut', query => query.where('opted_out', '=', 1))
      .orderBy('at', 'desc')
      .orderBy('message_id', 'desc')
      .offset(offset)
      .limit(limit)
  )
}
