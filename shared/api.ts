import { apiCallsApi } from './api-calls.ts'
import { assignmentApi } from './assignment.ts'
import { auditApi } from './audit.ts'
import { bulkDraftsApi } from './bulk-drafts.ts'
import { bulkSendsApi } from './bulk-sends.ts'
import { contactFieldsApi } from './contact-fields.ts'
import { contactImportsApi } from './contact-imports.ts'
import { contactMergesApi } from './contact-merges.ts'
import { contactsApi } from './contacts.ts'
import type { ClientOf } from './contract.ts'
import { draftsApi } from './drafts.ts'
import { emailChangeApi } from './email-change.ts'
import { erasuresApi } from './erasures.ts'
import { fileUseApi } from './file-use.ts'
import { flowHooksApi } from './flow-hooks.ts'
import { flowPresenceApi } from './flow-presence.ts'
import { flowReplaysApi } from './flow-replays.ts'
import { flowSecretsApi } from './flow-secrets.ts'
import { flowSettingsApi } from './flow-settings.ts'
import { flowTestsApi } from './flow-tests.ts'
import { flowsApi } from './flows.ts'
import { historyApi } from './history.ts'
import { inboxApi } from './inbox.ts'
import { invitationsApi } from './invitations.ts'
import { liveApi } from './live-log.ts'
import { mediaApi } from './media.ts'
import { membersApi } from './members.ts'
import { messageInfoApi } from './message-info.ts'
import { notesApi } from './notes.ts'
import { notificationsApi } from './notifications.ts'
import { numberStandingApi } from './number-standing.ts'
import { numbersApi } from './numbers.ts'
import { optOutsApi } from './opt-outs.ts'
import { orgExportApi } from './org-export.ts'
import { orgOwnershipApi } from './org-ownership.ts'
import { orgSettingsApi } from './org-settings.ts'
import { orgsApi } from './orgs.ts'
import { outgoingWebhooksApi } from './outgoing-webhooks.ts'
import { passwordsApi } from './passwords.ts'
import { presenceApi } from './presence.ts'
import { profileApi } from './profile.ts'
import { pushApi } from './push.ts'
import { readyAnswersApi } from './ready-answers.ts'
import { retentionApi } from './retention.ts'
import { sandboxApi } from './sandbox.ts'
import { savedViewsApi } from './saved-views.ts'
import { scheduledMessagesApi } from './scheduled-messages.ts'
import { secondFactorApi } from './second-factor.ts'
import { sessionsApi } from './sessions.ts'
import { siteApi } from './site.ts'
import { ssoApi } from './sso.ts'
import { statsApi } from './stats.ts'
import { tagsApi } from './tags.ts'
import { templatesApi } from './templates.ts'
import { visibilityApi } from './visibility.ts'

/** Every room's endpoints: the product's table of contents on the wire. */
export const api = {
  apiCalls: apiCallsApi,
  assignment: assignmentApi,
  audit: auditApi,
  bulkDrafts: bulkDraftsApi,
  bulkSends: bulkSendsApi,
  history: historyApi,
  orgs: orgsApi,
  members: membersApi,
  optOuts: optOutsApi,
  orgExport: orgExportApi,
  orgOwnership: orgOwnershipApi,
  orgSettings: orgSettingsApi,
  invitations: invitationsApi,
  numbers: numbersApi,
  numberStanding: numberStandingApi,
  flows: flowsApi,
  flowSecrets: flowSecretsApi,
  flowSettings: flowSettingsApi,
  flowReplays: flowReplaysApi,
  flowPresence: flowPresenceApi,
  flowTests: flowTestsApi,
  flowHooks: flowHooksApi,
  inbox: inboxApi,
  contacts: contactsApi,
  contactFields: contactFieldsApi,
  contactImports: contactImportsApi,
  contactMerges: contactMergesApi,
  erasures: erasuresApi,
  live: liveApi,
  media: mediaApi,
  fileUse: fileUseApi,
  notes: notesApi,
  notifications: notificationsApi,
  push: pushApi,
  readyAnswers: readyAnswersApi,
  outgoingWebhooks: outgoingWebhooksApi,
  savedViews: savedViewsApi,
  scheduledMessages: scheduledMessagesApi,
  retention: retentionApi,
  sandbox: sandboxApi,
  passwords: passwordsApi,
  emailChange: emailChangeApi,
  secondFactor: secondFactorApi,
  messageInfo: messageInfoApi,
  drafts: draftsApi,
  presence: presenceApi,
  profile: profileApi,
  sessions: sessionsApi,
  site: siteApi,
  sso: ssoApi,
  stats: statsApi,
  tags: tagsApi,
  templates: templatesApi,
  visibility: visibilityApi,
} as const

export type ApiRooms = typeof api
/** The one typed API that loaders and components ask; services on the server, `fetch` in the browser. */
export type Api = { readonly [R in keyof ApiRooms]: ClientOf<ApiRooms[R]> }
