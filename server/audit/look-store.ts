import type { AccessAction, AuditAction, AuditFact } from '#shared/audit.ts'
import { type BusinessHours, type HoursSpan, weekdays } from '#shared/business-hours.ts'
import { digitsOf, phoneKey } from '#shared/phone.ts'
import type { Db } from '../db.ts'

/** What a call names: its body and what stands in its address, read but not understood. */
export interface AuditInput {
  readonly orgId: string
  readonly userId: string | undefined
  readonly given: Readonly<Record<string, unknown>>
}

type Facts = Partial<Record<AuditFact, string | number | null>>
/** How what a call changes is called and what it is like; never anything secret. Undefined: it is not there. */
export type Look = { readonly subject: string | null; readonly facts: Facts } | undefined

type Looking = (db: Db, input: AuditInput) => Promise<Look>
type Made = { subject: string | null } & Facts

const text = (value: unknown): string => (typeof value === 'string' ? value : '')
const looked = (row: Made | undefined): Look => {
  if (!row) return undefined
  const { subject, ...facts } = row
  return { subject, facts }
}
const firstOf = (given: AuditInput['given'], ...names: string[]) =>
  names.map(name => text(given[name])).find(value => value !== '') ?? ''

const member: Looking = async (db, { orgId, userId, given }) => {
  const named = firstOf(given, 'memberIdOrEmail', 'memberId')
  const query = db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.organizationId', '=', orgId)
    .select(['user.email as subject', 'user.name as name', 'member.role as role'])
  const one = named.includes('@')
    ? query.where('user.email', '=', named.toLowerCase())
    : named
      ? query.where('member.id', '=', named)
      : query.where('user.id', '=', userId ?? '')
  return looked(await one.executeTakeFirst())
}

const invitation: Looking = async (db, { orgId, given }) => {
  const query = db
    .selectFrom('invitation')
    .leftJoin('team', 'team.id', 'invitation.teamId')
    .where('invitation.organizationId', '=', orgId)
    .select([
      'invitation.email as subject',
      'invitation.role as role',
      'invitation.status as status',
      'team.name as team',
      'invitation.expiresAt as expiresAt',
    ])
  const id = text(given.invitationId)
  const one = id
    ? query.where('invitation.id', '=', id)
    : query.where('invitation.email', '=', text(given.email).trim().toLowerCase()).where('status', '=', 'pending')
  return looked(await one.orderBy('invitation.createdAt', 'desc').limit(1).executeTakeFirst())
}

const team: Looking = async (db, { orgId, given }) => {
  const query = db
    .selectFrom('team')
    .where('organizationId', '=', orgId)
    .select(['name as subject', 'name', 'description'])
  const id = text(given.teamId)
  const one = id ? query.where('id', '=', id) : query.where('name', '=', text(given.name))
  return looked(await one.orderBy('createdAt', 'desc').limit(1).executeTakeFirst())
}

const teamMember: Looking = async (db, { orgId, given }) =>
  looked(
    await db
      .selectFrom('team')
      .leftJoin('teamMember', join =>
        join.onRef('teamMember.teamId', '=', 'team.id').on('teamMember.userId', '=', text(given.userId)),
      )
      .leftJoin('user', 'user.id', 'teamMember.userId')
      .where('team.organizationId', '=', orgId)
      .where('team.id', '=', text(given.teamId))
      .select(['team.name as subject', 'user.email as member'])
      .executeTakeFirst(),
  )

const key: Looking = async (db, { orgId, given }) => {
  const query = db
    .selectFrom('apikey')
    .where('referenceId', '=', orgId)
    .select(['name as subject', 'name', 'permissions as scopes', 'expiresAt'])
  const id = text(given.keyId)
  const one = id ? query.where('id', '=', id) : query.where('name', '=', text(given.name).trim().replace(/\s+/g, ' '))
  return looked(await one.orderBy('createdAt', 'desc').limit(1).executeTakeFirst())
}

const expiredKeys: Looking = async (db, { orgId }) => {
  const { count } = await db
    .selectFrom('apikey')
    .where('referenceId', '=', orgId)
    .select(eb => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { subject: null, facts: { keys: Number(count) } }
}

const provider: Looking = async (db, { orgId, given }) =>
  looked(
    await db
      .selectFrom('sso_provider')
      .leftJoin('team', 'team.id', 'sso_provider.team_id')
      .where('org_id', '=', orgId)
      .where('sso_provider.id', '=', text(given.providerId))
      .select([
        'sso_provider.domain as subject',
        'sso_provider.domain as domain',
        'issuer',
        'client_id as clientId',
        'is_active as status',
        'domain_verified_at as verifiedAt',
        'role',
        'team.name as team',
      ])
      .executeTakeFirst(),
  )

const organization: Looking = async (db, { orgId }) =>
  looked(
    await db
      .selectFrom('organization')
      .where('id', '=', orgId)
      .select(['name as subject', 'name', 'slug', 'logo'])
      .executeTakeFirst(),
  )

const mostOwners = 50

const owners: Looking = async (db, { orgId }) => {
  const rows = await db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.userId')
    .where('member.organizationId', '=', orgId)
    .where('member.role', '=', 'owner')
    .select('user.email')
    .orderBy('user.email')
    .limit(mostOwners)
    .execute()
  return { subject: null, facts: { owner: rows.map(row => row.email).join(', ') } }
}

const deletion: Looking = async (db, { orgId }) =>
  looked(
    await db
      .selectFrom('organization')
      .leftJoin('org_deletion', 'org_deletion.org_id', 'organization.id')
      .where('organization.id', '=', orgId)
      .select(['organization.name as subject', 'org_deletion.due_at as deletesAt'])
      .executeTakeFirst(),
  )

const settings: Looking = async (db, { orgId }) =>
  looked({
    subject: null,
    ...(await db
      .selectFrom('org_settings')
      .where('org_id', '=', orgId)
      .select(['time_zone as timeZone', 'language', 'country'])
      .executeTakeFirst()),
  })

const spansText = (spans: readonly HoursSpan[]): string =>
  spans.map(({ from, to }) => `${from}–${to}`).join(', ') || '—'

const businessHours: Looking = async (db, { orgId }) => {
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

const retention: Looking = async (db, { orgId }) =>
  looked({
    subject: null,
    ...(await db
      .selectFrom('org_settings')
      .where('org_id', '=', orgId)
      .select('retention_months as months')
      .executeTakeFirst()),
  })

const secondFactorDemand: Looking = async (db, { orgId }) => {
  const row = await db
    .selectFrom('org_settings')
    .where('org_id', '=', orgId)
    .select('second_factor_required')
    .executeTakeFirst()
  return { subject: null, facts: { required: row?.second_factor_required ?? 0 } }
}

const ssoDemand: Looking = async (db, { orgId }) => {
  const row = await db
    .selectFrom('sso_demand')
    .leftJoin('user', 'user.id', 'sso_demand.exempt_user_id')
    .where('org_id', '=', orgId)
    .select('user.email')
    .executeTakeFirst()
  return { subject: null, facts: { required: row ? 1 : 0, exempt: row?.email ?? null } }
}

const assignmentRule: Looking = async (db, { orgId, given }) => {
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

const flowSettings: Looking = async (db, { orgId }) =>
  looked({
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

const optOutWords: Looking = async (db, { orgId }) =>
  looked({
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

/** Of the number that sends to many leave by: the first that is connected. */
const bulkPace: Looking = async (db, { orgId }) => {
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

const rateCard: Looking = async (db, { orgId }) =>
  looked({
    subject: null,
    ...(await db
      .selectFrom('rate_card')
      .where('org_id', '=', orgId)
      .select(['currency', 'valid_from as validFrom', 'rates'])
      .executeTakeFirst()),
  })

const contentGrant: Looking = async (db, { orgId, given }) => {
  const tag = await db
    .selectFrom('tag')
    .where('org_id', '=', orgId)
    .where('id', '=', text(given.phoneTagId))
    .select('label')
    .executeTakeFirst()
  const granted = await db
    .selectFrom('content_access')
    .where('org_id', '=', orgId)
    .where('role', '=', text(given.role))
    .where('tag_id', '=', text(given.phoneTagId))
    .select('tag_id')
    .executeTakeFirst()
  return { subject: `${text(given.role)} · ${tag?.label ?? ''}`, facts: { granted: granted ? 1 : 0 } }
}

const contentApplied: Looking = async (db, { orgId }) => {
  const row = await db
    .selectFrom('content_access_setting')
    .where('org_id', '=', orgId)
    .select(['conversations', 'teams'])
    .executeTakeFirst()
  return { subject: null, facts: { conversations: row?.conversations ?? 0, teams: row?.teams ?? 0 } }
}

const tag: Looking = async (db, { orgId, given }) =>
  looked(
    await db
      .selectFrom('tag')
      .where('org_id', '=', orgId)
      .where('id', '=', text(given.id))
      .select(['label as subject', 'label as name'])
      .executeTakeFirst(),
  )

const contactField: Looking = async (db, { orgId, given }) => {
  const query = db
    .selectFrom('contact_field')
    .where('org_id', '=', orgId)
    .select(['label as subject', 'label as name', 'options'])
  const id = text(given.id)
  const one = id ? query.where('id', '=', id) : query.where('label', '=', text(given.label).trim().replace(/\s+/g, ' '))
  const row = await one.executeTakeFirst()
  return looked(row && { ...row, options: (JSON.parse(row.options) as string[]).join(', ') || null })
}

/** One that begins is the newest. */
const contactImport: Looking = async (db, { orgId, given }) => {
  const query = db
    .selectFrom('contact_import')
    .where('org_id', '=', orgId)
    .select(['file as subject', 'state as status', 'row_count as rows'])
  const id = text(given.id)
  return looked(await (id ? query.where('id', '=', id) : query.orderBy('id', 'desc').limit(1)).executeTakeFirst())
}

/** What it is stays sealed: a new value shows as a new moment. */
const flowSecret: Looking = async (db, { orgId, given }) =>
  looked(
    await db
      .selectFrom('flow_secret')
      .where('org_id', '=', orgId)
      .where('name', '=', text(given.name))
      .select(['name as subject', 'name', 'host', 'changed_at as sealedAt'])
      .executeTakeFirst(),
  )

const flowHook: Looking = async (db, { orgId, given }) =>
  looked(
    await db
      .selectFrom('flow_hook')
      .innerJoin('flow', 'flow.id', 'flow_hook.flow_id')
      .where('flow_hook.org_id', '=', orgId)
      .where('flow_hook.flow_id', '=', text(given.id))
      .select(['flow.name as subject', 'flow_hook.changed_at as sealedAt'])
      .executeTakeFirst(),
  )

/** Who it was stays with the contact: the address they were named by. */
const namedContact: Looking = async (_db, { given }) => ({ subject: text(given.phone) || null, facts: {} })

/** Whoever is erased is in no entry either. */
const nobody: Looking = async () => undefined

const mostNumbers = 100

const connection: Looking = async (db, { orgId }) => {
  const rows = await db
    .selectFrom('wa_connection')
    .where('org_id', '=', orgId)
    .where('disconnected_at', 'is', null)
    .select(['phone', 'label', 'status'])
    .orderBy('place')
    .orderBy('created_at')
    .limit(mostNumbers)
    .execute()
  return {
    subject: rows.map(row => row.phone).join(', ') || null,
    facts: {
      name: rows.map(row => row.label ?? row.phone).join(', ') || null,
      status: rows.map(row => row.status).join(', ') || null,
    },
  }
}

const spokenProfile = (facts: string): Facts => {
  const said = (JSON.parse(facts) as { profile?: { value?: Readonly<Record<string, unknown>> } }).profile?.value
  if (!said) return {}
  const websites = Array.isArray(said.websites) ? said.websites.join(', ') : ''
  return {
    about: text(said.about),
    address: text(said.address),
    description: text(said.description),
    email: text(said.email),
    websites,
    vertical: text(said.vertical),
  }
}

/** What customers see of the business, of the number that was named or the first one. */
const numberProfile: Looking = async (db, { orgId, given }) => {
  const rows = await db
    .selectFrom('wa_connection')
    .leftJoin('number_standing', 'number_standing.connection_id', 'wa_connection.id')
    .where('wa_connection.org_id', '=', orgId)
    .where('disconnected_at', 'is', null)
    .select(['wa_connection.id', 'phone', 'facts'])
    .orderBy('place')
    .orderBy('created_at')
    .limit(mostNumbers)
    .execute()
  const [id, number] = [text(given.id), phoneKey(digitsOf(text(given.number)))]
  const row = rows.find(one => (!id || one.id === id) && (!number || phoneKey(one.phone) === number))
  return row && { subject: row.phone, facts: row.facts === null ? {} : spokenProfile(row.facts) }
}

const bulkSend: Looking = async (db, { orgId, given }) => {
  const row = await db
    .selectFrom('bulk_send')
    .where('org_id', '=', orgId)
    .where('id', '=', text(given.id))
    .select(['template', 'state as status', 'starts_at'])
    .executeTakeFirst()
  if (!row) return undefined
  const { name } = JSON.parse(row.template) as { name?: string }
  return { subject: name ?? null, facts: { status: row.status, startsAt: row.starts_at } }
}

const historyEntry: Looking = async (db, { orgId, given }) => {
  const row = await db
    .selectFrom('history_entry')
    .where('org_id', '=', orgId)
    .where('id', '=', text(given.id))
    .where('kind', '=', 'masive')
    .select('title')
    .executeTakeFirst()
  return row && { subject: row.title, facts: {} }
}

const nothing: Looking = async () => ({ subject: null, facts: {} })

/** What an action is about. */
export const looks: Readonly<Record<Exclude<AuditAction, AccessAction>, Looking>> = {
  memberRemoved: member,
  memberLeft: member,
  roleChanged: member,
  contentGranted: contentGrant,
  contentApplied,
  invited: invitation,
  invitationCanceled: invitation,
  invitationAccepted: invitation,
  invitationRejected: invitation,
  teamCreated: team,
  teamChanged: team,
  teamRemoved: team,
  teamMemberAdded: teamMember,
  teamMemberRemoved: teamMember,
  keyCreated: key,
  keyDeleted: key,
  expiredKeysDeleted: expiredKeys,
  secondFactorDemanded: secondFactorDemand,
  ssoDemanded: ssoDemand,
  ssoCreated: provider,
  ssoChanged: provider,
  ssoVerified: provider,
  ssoDeleted: provider,
  organizationTransferred: owners,
  deletionRequested: deletion,
  deletionUndone: deletion,
  organizationCreated: organization,
  organizationChanged: organization,
  settingsChanged: settings,
  hoursChanged: businessHours,
  assignmentChanged: assignmentRule,
  retentionChanged: retention,
  logoChanged: organization,
  logoRemoved: organization,
  optOutWordsChanged: optOutWords,
  flowSettingsChanged: flowSettings,
  contactBlocked: namedContact,
  contactUnblocked: namedContact,
  contactErased: nobody,
  contactsImported: contactImport,
  importStopped: contactImport,
  contactsMerged: namedContact,
  mergeUndone: nothing,
  fieldCreated: contactField,
  fieldChanged: contactField,
  fieldDeleted: contactField,
  tagChanged: tag,
  tagMerged: tag,
  tagDeleted: tag,
  numberConnected: connection,
  numberAdded: connection,
  numberRenamed: connection,
  numberNameAsked: connection,
  numberDisconnected: connection,
  simulatorConnected: connection,
  numbersOrdered: connection,
  webhooksAsked: connection,
  profileChanged: numberProfile,
  profilePictureChanged: numberProfile,
  secretCreated: flowSecret,
  secretReplaced: flowSecret,
  secretDeleted: flowSecret,
  hookReplaced: flowHook,
  ratesChanged: rateCard,
  bulkPaceChanged: bulkPace,
  bulkTested: bulkSend,
  bulkCreated: bulkSend,
  bulkStarted: bulkSend,
  bulkScheduled: bulkSend,
  bulkUnscheduled: bulkSend,
  bulkPaused: bulkSend,
  bulkResumed: bulkSend,
  bulkRetried: bulkSend,
  bulkCanceled: bulkSend,
  historyHidden: historyEntry,
  contactsExported: nothing,
  bulkReportExported: bulkSend,
  costsExported: nothing,
  auditExported: nothing,
  organizationExported: nothing,
}

const orgOf: Readonly<Record<string, (db: Db, id: string) => Promise<string | undefined>>> = {
  invitationId: async (db, id) =>
    (await db.selectFrom('invitation').where('id', '=', id).select('organizationId').executeTakeFirst())
      ?.organizationId,
  keyId: async (db, id) =>
    (await db.selectFrom('apikey').where('id', '=', id).select('referenceId').executeTakeFirst())?.referenceId,
  providerId: async (db, id) =>
    (await db.selectFrom('sso_provider').where('id', '=', id).select('org_id').executeTakeFirst())?.org_id,
  teamId: async (db, id) =>
    (await db.selectFrom('team').where('id', '=', id).select('organizationId').executeTakeFirst())?.organizationId,
}

/** Whose the invitation, key, provider or team is that a call names; undefined: it names none that is there. */
export async function findOrgOfNamed(db: Db, given: AuditInput['given']): Promise<string | undefined> {
  for (const [field, find] of Object.entries(orgOf)) {
    const org = text(given[field]) ? await find(db, text(given[field])) : undefined
    if (org !== undefined) return org
  }
  return undefined
}
