import { type Static, Type } from 'typebox'
import { endpoint } from '#shared/kernel/contract.ts'
import { Nullable, Timestamp } from '#shared/kernel/list.ts'
import { weekdays } from '#shared/orgs/business-hours.ts'
import { plainSettingKeys } from '#shared/orgs/setting-fields.ts'

export const auditKeptDays = 400
export const auditEntriesPerPage = 50
export const auditEntriesPerPart = 500

/** Audit actions by what they concern. */
/** The actions of people on their own sign-in, including signing in. */
const ownAccess = [
  'signedInByCode',
  'signedInByPassword',
  'signedInBySso',
  'sessionEnded',
  'signedOutElsewhere',
  'signedOutEverywhere',
  'passwordAdded',
  'passwordChanged',
  'usernameChanged',
  'passwordRemoved',
  'emailChanged',
  'secondFactorOn',
  'secondFactorReplaced',
  'secondFactorOff',
  'backupCodesRenewed',
  'backupCodeUsed',
  'deviceTrusted',
  'trustEnded',
] as const
export type OwnAccess = (typeof ownAccess)[number]
/** The actions of site administrators on a person's account. */
const siteAccess = [
  'personBanned',
  'personUnbanned',
  'sessionsEnded',
  'sessionClosed',
  'passwordGiven',
  'impersonated',
  'impersonationEnded',
  'personRemoved',
] as const

/** Recorded in the transaction of the change. */
const programChanges = ['programConnected', 'programEnded'] as const

const auditActions = {
  access: [...ownAccess, ...siteAccess],
  members: ['joinedBySso', 'memberRemoved', 'memberLeft', 'roleChanged', 'contentGranted', 'contentApplied'],
  invitations: ['invited', 'invitationCanceled', 'invitationAccepted', 'invitationRejected'],
  teams: ['teamCreated', 'teamChanged', 'teamRemoved', 'teamMemberAdded', 'teamMemberRemoved'],
  keys: ['keyCreated', 'keyDeleted', 'expiredKeysDeleted', ...programChanges],
  security: ['secondFactorDemanded', 'ssoDemanded', 'ssoCreated', 'ssoChanged', 'ssoVerified', 'ssoDeleted'],
  organization: [
    'organizationCreated',
    'organizationTransferred',
    'deletionRequested',
    'deletionUndone',
    'organizationChanged',
    'settingsChanged',
    'hoursChanged',
    'statsReportChanged',
    'assignmentChanged',
    'retentionChanged',
    'logoChanged',
    'logoRemoved',
    'optOutWordsChanged',
    'ratesChanged',
    'bulkPaceChanged',
    'fieldCreated',
    'fieldChanged',
    'fieldDeleted',
  ],
  tags: ['tagChanged', 'tagMerged', 'tagDeleted'],
  contacts: [
    'contactBlocked',
    'contactUnblocked',
    'contactErased',
    'contactsImported',
    'importStopped',
    'chatImported',
    'chatImportUndone',
    'chatImportDiscarded',
    'contactsMerged',
    'mergeUndone',
  ],
  connection: [
    'numberConnected',
    'numberAdded',
    'numberRenamed',
    'numberNameAsked',
    'numberDisconnected',
    'numbersOrdered',
    'webhooksAsked',
    'profileChanged',
    'profilePictureChanged',
    'simulatorConnected',
    'webhookCreated',
    'webhookChanged',
    'webhookSecretReplaced',
    'webhookDeleted',
    'incomingCreated',
    'incomingChanged',
    'incomingReplaced',
    'incomingDeleted',
    'incomingReplayed',
    'deliveriesReplayed',
  ],
  templates: ['templateCreated', 'templateChanged', 'templateDeleted', 'templatesCopied'],
  flows: [
    'flowCreated',
    'flowPublished',
    'flowPaused',
    'flowRestored',
    'flowDeleted',
    'flowsOrdered',
    'flowSettingsChanged',
    'hookReplaced',
    'secretCreated',
    'secretReplaced',
    'secretDeleted',
  ],
  bulk: [
    'bulkTested',
    'bulkCreated',
    'bulkApproved',
    'bulkStarted',
    'bulkScheduled',
    'bulkUnscheduled',
    'bulkPaused',
    'bulkResumed',
    'bulkRetried',
    'bulkCanceled',
    'historyHidden',
  ],
  exports: [
    'contactsExported',
    'chatExported',
    'conversationsExported',
    'statsExported',
    'bulkReportExported',
    'costsExported',
    'auditExported',
    'organizationExported',
  ],
} as const
/** Actions about an account of the site, not about one organization. */
export const siteActions = [...siteAccess, 'personCreated', 'siteRoleChanged'] as const
export type SiteAction = (typeof siteActions)[number]
/** Actions about sign-in, recorded in each of the person's organizations. */
export type AccessAction = OwnAccess | 'joinedBySso' | (typeof siteAccess)[number] | (typeof programChanges)[number]
export type AuditKind = keyof typeof auditActions
export type AuditAction = (typeof auditActions)[AuditKind][number]
export const auditKinds = Object.keys(auditActions) as AuditKind[]
export const kindOfAction = (action: AuditAction): AuditKind =>
  auditKinds.find(kind => (auditActions[kind] as readonly string[]).includes(action)) as AuditKind

/** Facts that an entry compares, named like their texts. */
export const auditFacts = [
  'name',
  'slug',
  'role',
  'team',
  'description',
  'member',
  'status',
  'scopes',
  'expiresAt',
  'domain',
  'host',
  'sealedAt',
  'issuer',
  'clientId',
  'verifiedAt',
  'required',
  'exempt',
  'way',
  'most',
  'toLast',
  ...plainSettingKeys,
  'logo',
  'stopWords',
  'restartWords',
  'leaveWords',
  'personWords',
  'expiresAfterHours',
  'expiredText',
  'closedText',
  'resumeWords',
  'confirms',
  'stopText',
  'resumeText',
  'granted',
  'conversations',
  'teams',
  'startsAt',
  'keys',
  'owner',
  'deletesAt',
  ...weekdays,
  'exceptions',
  'months',
  'currency',
  'validFrom',
  'rates',
  'perSecond',
  'reason',
  'options',
  'about',
  'address',
  'email',
  'websites',
  'vertical',
  'device',
  'url',
  'active',
  'category',
  'version',
  'rhythm',
  'recipients',
] as const
export type AuditFact = (typeof auditFacts)[number]

export const AuditChange = Type.Object({
  fact: Type.Enum(auditFacts),
  before: Nullable(Type.String()),
  after: Nullable(Type.String()),
})

const AuditEntry = Type.Object({
  id: Type.String(),
  at: Timestamp,
  kind: Type.Enum(auditKinds),
  action: Type.Enum(Object.values(auditActions).flat() as AuditAction[]),
  who: Type.Object({
    kind: Type.Enum(['person', 'key']),
    id: Type.String(),
    name: Type.String({ description: 'At that time.' }),
    actedAs: Type.Boolean({ description: 'True: a site administrator was impersonating this person.' }),
  }),
  address: Nullable(Type.String({ description: 'IP address it came from.' })),
  browser: Nullable(Type.String()),
  system: Nullable(Type.String()),
  subject: Nullable(Type.String({ description: 'The name that the changed thing had at that time.' })),
  changes: Type.Array(AuditChange),
  isDone: Type.Boolean({
    description: 'False: the action was started, and the server stopped before its outcome was known.',
  }),
})
export type AuditEntry = Static<typeof AuditEntry>

const filters = {
  person: Type.Optional(Type.String({ minLength: 1, maxLength: 64, description: 'Id of the person or the API key.' })),
  kind: Type.Optional(Type.Enum(auditKinds)),
  from: Type.Optional(Type.String({ format: 'date-time', description: 'Entries at or after this time.' })),
  to: Type.Optional(Type.String({ format: 'date-time', description: 'Entries before this time.' })),
  before: Type.Optional(
    Type.String({ pattern: '^[0-9a-z]{24}$', description: 'Id of the last entry received, to get the next page.' }),
  ),
}
const Filters = Type.Object(filters, { additionalProperties: false })

export const auditApi = {
  listEntries: endpoint({
    method: 'GET',
    path: '/organization/audit',
    access: 'audit:read',
    query: Filters,
    reply: Type.Object({ items: Type.Array(AuditEntry), hasMore: Type.Boolean() }),
    summary: `The audit log: who changed what, newest first, ${auditEntriesPerPage} at a time. Entries are kept for ${auditKeptDays} days.`,
  }),
  exportEntries: endpoint({
    method: 'GET',
    path: '/organization/audit/report',
    access: 'audit:read',
    large: true,
    query: Filters,
    reply: Type.Object({
      csv: Type.String({ description: 'Lines, newest first; the first part starts with the column names.' }),
      next: Nullable(
        Type.String({ description: 'The value of `before` for the next part; null: this is the last part.' }),
      ),
    }),
    summary: `The list as CSV, ${auditEntriesPerPart} rows at a time.`,
  }),
} as const
