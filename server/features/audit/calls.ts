import type { AllowedPath } from '#server/identity/auth/calls/allowed-routes.ts'
import type { ApiServices } from '#shared/api.ts'
import type { AccessAction, AuditAction, SiteAction } from '#shared/audit/api.ts'
import type { Capability } from '#shared/kernel/permissions.ts'

type OrgAction = Exclude<AuditAction, AccessAction>

/** Calls with one of these rights change the organization and are recorded. */
type Administrative = Extract<
  Capability,
  | 'member:manage'
  | 'org:update'
  | 'org:delete'
  | 'data:export'
  | 'security:manage'
  | 'connection:manage'
  | 'bulk:send'
  | 'contact:erase'
  | 'template:edit'
  | 'flow:edit'
  | 'integration:manage'
>
type CallsOf<R extends keyof ApiServices> = {
  [N in keyof ApiServices[R] & string]: ApiServices[R][N] extends { readonly method: 'GET' }
    ? never
    : ApiServices[R][N] extends { readonly access: Administrative }
      ? `${R}.${N}`
      : never
}[keyof ApiServices[R] & string]
/** Every call that changes an organization's administration. */
type AuditedCall = { [R in keyof ApiServices]: CallsOf<R> }[keyof ApiServices]

/** Null: it changes nothing of the organization. A call that is missing here does not compile. */
export const auditedCalls: Readonly<Record<AuditedCall, OrgAction | null>> = {
  'visibility.setContentPermission': 'contentGranted',
  'visibility.changeContentAccess': 'contentApplied',
  'orgExport.begin': 'organizationExported',
  'orgExport.remove': null,
  // It writes its entry in its own transaction.
  'programs.end': null,
  'orgOwnership.transfer': 'organizationTransferred',
  'orgOwnership.requestDeletion': 'deletionRequested',
  'orgOwnership.undoDeletion': 'deletionUndone',
  'orgSettings.changeSettings': 'settingsChanged',
  'orgSettings.setBusinessHours': 'hoursChanged',
  'statsReport.setReport': 'statsReportChanged',
  'assignment.setRule': 'assignmentChanged',
  'retention.setRetention': 'retentionChanged',
  'orgSettings.setLogo': 'logoChanged',
  'orgSettings.removeLogo': 'logoRemoved',
  'orgSettings.setSecondFactorDemand': 'secondFactorDemanded',
  'optOuts.changeSettings': 'optOutWordsChanged',
  'sso.setDemand': 'ssoDemanded',
  'contacts.blockContact': 'contactBlocked',
  'contacts.unblockContact': 'contactUnblocked',
  'erasures.eraseContact': 'contactErased',
  'contactImports.preview': null,
  'contactImports.begin': 'contactsImported',
  'contactImports.stop': 'importStopped',
  'imports.create': null,
  'imports.preview': null,
  'imports.map': null,
  'imports.start': 'chatImported',
  'imports.pause': null,
  'imports.resume': null,
  'imports.undo': 'chatImportUndone',
  'imports.discard': 'chatImportDiscarded',
  'contactMerges.merge': 'contactsMerged',
  'contactMerges.undoMerge': 'mergeUndone',
  'contactFields.createField': 'fieldCreated',
  'contactFields.changeField': 'fieldChanged',
  'contactFields.deleteField': 'fieldDeleted',
  'flowSecrets.createSecret': 'secretCreated',
  'flowSecrets.replaceSecret': 'secretReplaced',
  'flowSecrets.deleteSecret': 'secretDeleted',
  'outgoingWebhooks.createWebhook': 'webhookCreated',
  'outgoingWebhooks.changeWebhook': 'webhookChanged',
  'outgoingWebhooks.replaceSecret': 'webhookSecretReplaced',
  'outgoingWebhooks.deleteWebhook': 'webhookDeleted',
  'outgoingWebhooks.testWebhook': null,
  'outgoingWebhooks.redeliver': null,
  'outgoingWebhooks.redeliverMany': null,
  'flowHooks.replaceHook': 'hookReplaced',
  'incomingHooks.createHook': 'incomingCreated',
  'incomingHooks.changeHook': 'incomingChanged',
  'incomingHooks.replaceAddress': 'incomingReplaced',
  'incomingHooks.deleteHook': 'incomingDeleted',
  'incomingHooks.replayCall': 'incomingReplayed',
  // What it does is undone.
  'incomingHooks.testHook': null,
  'deliveries.replay': 'deliveriesReplayed',
  'flowSettings.setSettings': 'flowSettingsChanged',
  'flows.create': 'flowCreated',
  // Drafts are saved while they are drawn. Customers get changes when they are published.
  'flows.save': null,
  'flows.remove': 'flowDeleted',
  'flows.publish': 'flowPublished',
  'flows.pause': 'flowPaused',
  'flows.order': 'flowsOrdered',
  'flows.restore': 'flowRestored',
  // Tests and runs change no flow.
  'flows.call': null,
  'flowReplays.begin': null,
  'flowReplays.stop': null,
  'flowTests.begin': null,
  'flowTests.stop': null,
  'templates.create': 'templateCreated',
  'templates.update': 'templateChanged',
  'templates.remove': 'templateDeleted',
  'templates.migrate': 'templatesCopied',
  'templates.sync': null,
  'tags.changeTag': 'tagChanged',
  'tags.mergeTag': 'tagMerged',
  'tags.deleteTag': 'tagDeleted',
  'numbers.connect': 'numberConnected',
  'numbers.addNumber': 'numberAdded',
  'numbers.confirmNumber': 'numberConnected',
  'sandbox.signUp': null,
  'numbers.rename': 'numberRenamed',
  'numbers.setVerifiedName': 'numberNameAsked',
  'numbers.disconnect': 'numberDisconnected',
  'numbers.connectSandbox': 'simulatorConnected',
  // It only reads from Meta.
  'numberStanding.readStanding': null,
  'numberStanding.beginRoundTrip': null,
  'numberStanding.subscribe': 'webhooksAsked',
  'numberStanding.changeProfile': 'profileChanged',
  'numberStanding.setProfilePicture': 'profilePictureChanged',
  'numbers.orderNumbers': 'numbersOrdered',
  'bulkSends.sendTest': 'bulkTested',
  'bulkSends.create': 'bulkCreated',
  'bulkSends.sendTemplate': 'bulkCreated',
  'bulkSends.approve': 'bulkApproved',
  'bulkSends.start': 'bulkStarted',
  'bulkSends.schedule': 'bulkScheduled',
  'bulkSends.unschedule': 'bulkUnscheduled',
  'bulkSends.pause': 'bulkPaused',
  'bulkSends.resume': 'bulkResumed',
  'bulkSends.retry': 'bulkRetried',
  'bulkSends.cancel': 'bulkCanceled',
  'bulkSends.setRateCard': 'ratesChanged',
  'bulkSends.deletePastRateCard': 'ratesChanged',
  'bulkSends.setPace': 'bulkPaceChanged',
  'history.addEntry': null,
  'history.hideEntry': 'historyHidden',
  'bulkSends.plan': null,
  'bulkSends.countAudience': null,
  'bulkSends.checkFile': null,
  // A segment is a saved filter. Sends to it are recorded.
  'bulkSends.createSegment': null,
  'bulkSends.deleteSegment': null,
  'bulkSends.countSegment': null,
  'bulkDrafts.createDraft': null,
  'bulkDrafts.saveDraft': null,
  'bulkDrafts.deleteDraft': null,
}

/** Calls that export data, although their right is not administrative. */
export const auditedExports: Readonly<Record<string, OrgAction>> = {
  'contacts.exportContacts': 'contactsExported',
  'contacts.exportCards': 'contactsExported',
  'chatExport.prepare': 'chatExported',
  'bulkSends.getReportCsv': 'bulkReportExported',
  'audit.exportEntries': 'auditExported',
  'stats.exportCosts': 'costsExported',
  'stats.exportCostBlock': 'costsExported',
  'stats.exportBlock': 'statsExported',
  'statsExport.begin': 'conversationsExported',
}

type Reading<P> = P extends
  | `${string}/list${string}`
  | `${string}/get-${string}`
  | `${string}/providers`
  | `${string}/callback/${string}`
  ? never
  : P
type OfOrganization = Extract<AllowedPath, `/organization/${string}` | `/api-key/${string}` | `/sso/${string}`>

/** The audited action of each call below `/api/auth` that changes an organization. Null: not audited. */
export const auditedAuthCalls: Readonly<Record<Reading<OfOrganization>, OrgAction | null>> = {
  '/organization/update': 'organizationChanged',
  '/organization/leave': 'memberLeft',
  '/organization/invite-member': 'invited',
  '/organization/accept-invitation': 'invitationAccepted',
  '/organization/reject-invitation': 'invitationRejected',
  '/organization/cancel-invitation': 'invitationCanceled',
  '/organization/update-member-role': 'roleChanged',
  '/organization/remove-member': 'memberRemoved',
  '/organization/create-team': 'teamCreated',
  '/organization/update-team': 'teamChanged',
  '/organization/remove-team': 'teamRemoved',
  '/organization/add-team-member': 'teamMemberAdded',
  '/organization/remove-team-member': 'teamMemberRemoved',
  '/api-key/create': 'keyCreated',
  '/api-key/delete': 'keyDeleted',
  '/api-key/delete-all-expired-api-keys': 'expiredKeysDeleted',
  '/sso/register': 'ssoCreated',
  '/sso/update-provider': 'ssoChanged',
  '/sso/verify-domain': 'ssoVerified',
  '/sso/delete-provider': 'ssoDeleted',
  '/organization/delete': 'deletionRequested',
  '/organization/create': 'organizationCreated',
  '/organization/set-active': null,
  '/organization/set-active-team': null,
  '/organization/check-slug': null,
  '/organization/has-permission': null,
}

type OfSite = Extract<AllowedPath, `/admin/${string}`>

/** The audited action of each call of site administrators on accounts. Null: it changes nothing. */
export const auditedSiteCalls: Readonly<Record<Reading<OfSite>, SiteAction | null>> = {
  '/admin/create-user': 'personCreated',
  '/admin/set-role': 'siteRoleChanged',
  '/admin/ban-user': 'personBanned',
  '/admin/unban-user': 'personUnbanned',
  '/admin/remove-user': 'personRemoved',
  '/admin/impersonate-user': 'impersonated',
  '/admin/stop-impersonating': 'impersonationEnded',
  '/admin/revoke-user-sessions': 'sessionsEnded',
  '/admin/revoke-user-session': 'sessionClosed',
  '/admin/set-user-password': 'passwordGiven',
  '/admin/has-permission': null,
}
