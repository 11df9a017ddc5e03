import { couldMeetSsoDemand } from '#server/identity/auth/sso/demand-condition.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgDb } from '#server/platform/events/write.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { StatsReportRecipientTable, StatsReportTable } from './table.ts'

export const findReport = (db: Db, orgId: string): Promise<StatsReportTable | undefined> =>
  db.selectFrom('stats_report').selectAll().where('org_id', '=', orgId).executeTakeFirst()

export const saveReport = (db: OrgDb, orgId: string, row: Omit<StatsReportTable, 'org_id'>): Promise<unknown> =>
  db
    .insertInto('stats_report')
    .values({ org_id: orgId, ...row })
    .onConflict(conflict => conflict.column('org_id').doUpdateSet(row))
    .execute()

export const deleteReport = (db: OrgDb, orgId: string): Promise<unknown> =>
  db.deleteFrom('stats_report').where('org_id', '=', orgId).execute()

/** Recipients who are still members, by their name. */
export const listRecipients = (db: Db, orgId: string) =>
  db
    .selectFrom('stats_report_recipient')
    .innerJoin('user', 'user.id', 'stats_report_recipient.user_id')
    .innerJoin('member', join =>
      join
        .onRef('member.organizationId', '=', 'stats_report_recipient.org_id')
        .onRef('member.userId', '=', 'stats_report_recipient.user_id'),
    )
    .where('stats_report_recipient.org_id', '=', orgId)
    .select(['stats_report_recipient.user_id', 'stats_report_recipient.unsubscribed_at', 'user.name', 'member.role'])
    .orderBy('user.name')
    .orderBy('user.id')
    .execute()

export const findRecipient = (db: Db, orgId: string, userId: string): Promise<StatsReportRecipientTable | undefined> =>
  db
    .selectFrom('stats_report_recipient')
    .selectAll()
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst()

/** Recipients are then these. Who stays one stays unsubscribed, too. */
export async function replaceRecipients(db: OrgDb, orgId: string, ids: readonly string[]): Promise<void> {
  await db
    .deleteFrom('stats_report_recipient')
    .where('org_id', '=', orgId)
    .$if(ids.length > 0, query => query.where('user_id', 'not in', ids))
    .execute()
  for (const user_id of ids)
    await db
      .insertInto('stats_report_recipient')
      .values({ org_id: orgId, user_id, unsubscribed_at: null, sent_period: null })
      .onConflict(conflict => conflict.columns(['org_id', 'user_id']).doNothing())
      .execute()
}

/** Returns whether they were a recipient. */
export async function markUnsubscribed(db: OrgDb, orgId: string, userId: string, at: string): Promise<boolean> {
  const result = await db
    .updateTable('stats_report_recipient')
    .set(eb => ({ unsubscribed_at: eb.fn.coalesce('unsubscribed_at', eb.val(at)) }))
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** Takes a period for a recipient, so that it is mailed once. False: it was taken, or they do not get the report. */
export async function takePeriod(db: OrgDb, orgId: string, userId: string, period: string): Promise<boolean> {
  const result = await db
    .updateTable('stats_report_recipient')
    .set({ sent_period: period })
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('unsubscribed_at', 'is', null)
    .where(eb => eb.or([eb('sent_period', 'is', null), eb('sent_period', '<>', period)]))
    .executeTakeFirst()
  return result.numUpdatedRows > 0n
}

/** After the mail server refused for now. */
export const givePeriodBack = (db: OrgDb, orgId: string, userId: string, period: string): Promise<unknown> =>
  db
    .updateTable('stats_report_recipient')
    .set({ sent_period: null })
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .where('sent_period', '=', period)
    .execute()

/**
 * The verified address of a member, and the language that they use; null: not known yet. Undefined: there is no address,
 * or the organization demands a second factor or single sign-on that the member lacks, so that they may not see figures
 * on its pages either.
 */
export const findAddressee = (
  db: Db,
  orgId: string,
  userId: string,
): Promise<{ email: string; language: Language | null } | undefined> =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.organizationId', '=', orgId)
    .where('user.id', '=', userId)
    .where('user.emailVerified', '=', 1)
    .leftJoin('org_settings', 'org_settings.org_id', 'member.organizationId')
    .leftJoin('second_factor', 'second_factor.user_id', 'user.id')
    .where(eb =>
      eb.or([
        eb(eb.fn.coalesce('org_settings.second_factor_required', eb.lit(0)), '=', 0),
        eb('second_factor.created_at', 'is not', null),
      ]),
    )
    .where(eb =>
      couldMeetSsoDemand(eb, {
        orgId: 'member.organizationId',
        userId: 'member.userId',
        role: 'member.role',
      }),
    )
    .select(['user.email', 'user.language'])
    .executeTakeFirst()

/** Returns the people who are members. */
export async function findMembers(db: Db, orgId: string, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (!ids.length) return new Set()
  const rows = await db
    .selectFrom('member')
    .where('organizationId', '=', orgId)
    .where('userId', 'in', ids)
    .select('userId')
    .execute()
  return new Set(rows.map(({ userId }) => userId))
}

export const findAsked = async (db: Db, orgId: string, userId: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom('stats_report_asked')
      .select('asked_at')
      .where('org_id', '=', orgId)
      .where('user_id', '=', userId)
      .executeTakeFirst()
  )?.asked_at

export const saveAsked = (db: OrgDb, orgId: string, userId: string, at: string): Promise<unknown> =>
  db
    .insertInto('stats_report_asked')
    .values({ org_id: orgId, user_id: userId, asked_at: at })
    .onConflict(conflict => conflict.columns(['org_id', 'user_id']).doUpdateSet({ asked_at: at }))
    .execute()
