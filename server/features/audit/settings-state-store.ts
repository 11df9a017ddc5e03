import { settingColumns } from '#server/identity/orgs/settings/columns.ts'
import { type BusinessHours, type HoursSpan, weekdays } from '#shared/orgs/business-hours.ts'
import { plainSettingKeys } from '#shared/orgs/setting-fields.ts'
import { maxReportRecipients } from '#shared/stats/report.ts'
import { asState, type ReadState, text } from './state.ts'

export const organization: ReadState = async (db, { orgId }) =>
  asState(
    await db
      .selectFrom('organization')
      .where('id', '=', orgId)
      .select(['name as subject', 'name', 'slug', 'logo'])
      .executeTakeFirst(),
  )

const maxOwners = 50

export const owners: ReadState = async (db, { orgId }) => {
  const rows = await db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.organizationId', '=', orgId)
    .where('member.role', '=', 'owner')
    .select('user.email')
    .orderBy('user.email')
    .limit(maxOwners)
    .execute()
  return { subject: null, facts: { owner: rows.map(row => row.email).join(', ') } }
}

export const deletion: ReadState = async (db, { orgId }) =>
  asState(
    await db
      .selectFrom('organization')
      .leftJoin('org_deletion', 'org_deletion.org_id', 'organization.id')
      .where('organization.id', '=', orgId)
      .select(['organization.name as subject', 'org_deletion.due_at as deletesAt'])
      .executeTakeFirst(),
  )

export const settings: ReadState = async (db, { orgId }) =>
  asState({
    subject: null,
    ...(await db
      .selectFrom('org_settings')
      .where('org_id', '=', orgId)
      .select(settingColumns(plainSettingKeys))
      .executeTakeFirst()),
  })

const spansText = (spans: readonly HoursSpan[]): string =>
  spans.map(({ from, to }) => `${from}–${to}`).join(', ') || '—'

export const businessHours: ReadState = async (db, { orgId }) => {
  const row = await db
    .selectFrom('org_settings')
    .where('org_id', '=', orgId)
    .select('business_hours')
    .executeTakeFirst()
  if (!row?.business_hours) return { subject: null, facts: {} }
  const { week, exceptions } = JSON.parse(row.business_hours) as BusinessHours
  return {
    subject: null,
    facts: {
      ...Object.fromEntries(weekdays.map(day => [day, spansText(week[day])])),
      exceptions: exceptions.map(({ date, spans }) => `${date} ${spansText(spans)}`).join('; ') || null,
    },
  }
}

export const retention: ReadState = async (db, { orgId }) =>
  asState({
    subject: null,
    ...(await db
      .selectFrom('org_settings')
      .where('org_id', '=', orgId)
      .select('retention_months as months')
      .executeTakeFirst()),
  })

export const secondFactorDemand: ReadState = async (db, { orgId }) => {
  const row = await db
    .selectFrom('org_settings')
    .where('org_id', '=', orgId)
    .select('second_factor_required')
    .executeTakeFirst()
  return { subject: null, facts: { required: row?.second_factor_required ?? 0 } }
}

export const ssoDemand: ReadState = async (db, { orgId }) => {
  const row = await db
    .selectFrom('sso_demand')
    .leftJoin('user', 'user.id', 'sso_demand.exempt_user_id')
    .where('org_id', '=', orgId)
    .select('user.email')
    .executeTakeFirst()
  return { subject: null, facts: { required: row ? 1 : 0, exempt: row?.email ?? null } }
}

export const assignmentRule: ReadState = async (db, { orgId, given }) => {
  const teamId = text(given.teamId)
  const named = await db
    .selectFrom('team')
    .where('organizationId', '=', orgId)
    .where('id', '=', teamId)
    .select('name')
    .executeTakeFirst()
  const rule = await db
    .selectFrom('assignment_rule')
    .where('org_id', '=', orgId)
    .where('team_id', '=', teamId)
    .select(['way', 'most', 'to_last as toLast'])
    .executeTakeFirst()
  return { subject: named?.name ?? null, facts: { ...rule } }
}

export const statsReport: ReadState = async (db, { orgId }) => {
  const report = await db.selectFrom('stats_report').where('org_id', '=', orgId).select('rhythm').executeTakeFirst()
  const recipients = await db
    .selectFrom('stats_report_recipient')
    .innerJoin('user', 'user.id', 'stats_report_recipient.user_id')
    .where('org_id', '=', orgId)
    .select('user.email')
    .orderBy('user.email')
    .limit(maxReportRecipients)
    .execute()
  return {
    subject: null,
    facts: { rhythm: report?.rhythm ?? null, recipients: recipients.map(({ email }) => email).join(', ') || null },
  }
}

export const flowSettings: ReadState = async (db, { orgId }) =>
  asState({
    subject: null,
    ...(await db
      .selectFrom('flow_settings')
      .where('org_id', '=', orgId)
      .select([
        'restart_words as restartWords',
        'leave_words as leaveWords',
        'person_words as personWords',
        'expires_after_hours as expiresAfterHours',
        'expired_text as expiredText',
        'closed_text as closedText',
      ])
      .executeTakeFirst()),
  })

export const optOutWords: ReadState = async (db, { orgId }) =>
  asState({
    subject: null,
    ...(await db
      .selectFrom('opt_out_settings')
      .where('org_id', '=', orgId)
      .select([
        'stop_words as stopWords',
        'resume_words as resumeWords',
        'confirms',
        'stop_text as stopText',
        'resume_text as resumeText',
      ])
      .executeTakeFirst()),
  })

/** Reads the settings of the number for bulk sends: the first that is connected. */
export const bulkPace: ReadState = async (db, { orgId }) => {
  const row = await db
    .selectFrom('wa_connection')
    .leftJoin('bulk_pace', 'bulk_pace.connection_id', 'wa_connection.id')
    .where('wa_connection.org_id', '=', orgId)
    .where('wa_connection.disconnected_at', 'is', null)
    .select(['wa_connection.phone', 'bulk_pace.set_per_second'])
    .orderBy('wa_connection.place')
    .orderBy('wa_connection.created_at')
    .orderBy('wa_connection.id')
    .limit(1)
    .executeTakeFirst()
  return row && { subject: row.phone, facts: { perSecond: row.set_per_second } }
}

export const rateCard: ReadState = async (db, { orgId }) =>
  asState({
    subject: null,
    ...(await db
      .selectFrom('rate_card')
      .where('org_id', '=', orgId)
      .select(['currency', 'valid_from as validFrom', 'rates'])
      .executeTakeFirst()),
  })
