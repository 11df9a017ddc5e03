import type { AccessAction, AuditAction } from '#shared/audit.ts'
import type { Db } from '../db.ts'
import {
  bulkSend,
  connection,
  contactField,
  contactImport,
  contentApplied,
  contentGrant,
  flowHook,
  flowSecret,
  historyEntry,
  namedContact,
  nobody,
  nothing,
  numberProfile,
  outgoingWebhook,
  tag,
} from './content-look-store.ts'
import { type AuditInput, type Looking, text } from './look.ts'
import { expiredKeys, invitation, key, member, provider, team, teamMember } from './people-look-store.ts'
import {
  assignmentRule,
  bulkPace,
  businessHours,
  deletion,
  flowSettings,
  optOutWords,
  organization,
  owners,
  rateCard,
  retention,
  secondFactorDemand,
  settings,
  ssoDemand,
} from './settings-look-store.ts'

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
  webhookCreated: outgoingWebhook,
  webhookChanged: outgoingWebhook,
  webhookSecretReplaced: outgoingWebhook,
  webhookDeleted: outgoingWebhook,
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
