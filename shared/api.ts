import { apiCallsApi } from './api-calls/api.ts'
import { auditApi } from './audit/api.ts'
import { emailChangeApi } from './auth/email-change.ts'
import { passwordsApi } from './auth/passwords.ts'
import { profileApi } from './auth/profile.ts'
import { secondFactorApi } from './auth/second-factor.ts'
import { sessionsApi } from './auth/sessions.ts'
import { ssoApi } from './auth/sso.ts'
import { bulkSendsApi } from './bulk-sends/api.ts'
import { bulkDraftsApi } from './bulk-sends/drafts.ts'
import { contactsApi } from './contacts/api.ts'
import { contactFieldsApi } from './contacts/fields.ts'
import { contactImportsApi } from './contacts/imports.ts'
import { contactMergesApi } from './contacts/merges.ts'
import { deliveriesApi } from './deliveries/api.ts'
import { erasuresApi } from './erasures/api.ts'
import { orgExportApi } from './exports/api.ts'
import { chatExportApi } from './exports/chat.ts'
import { flowsApi } from './flows/api.ts'
import { flowHooksApi } from './flows/hooks.ts'
import { flowPresenceApi } from './flows/presence.ts'
import { flowReplaysApi } from './flows/replays.ts'
import { flowSecretsApi } from './flows/secrets.ts'
import { flowSettingsApi } from './flows/settings.ts'
import { flowTestsApi } from './flows/tests.ts'
import { historyApi } from './history/api.ts'
import { importsApi } from './imports/api.ts'
import { assignmentApi } from './inbox/assignment.ts'
import { draftsApi } from './inbox/drafts.ts'
import { inboxApi } from './inbox/inbox.ts'
import { messageInfoApi } from './inbox/message-info.ts'
import { notesApi } from './inbox/notes.ts'
import { presenceApi } from './inbox/presence.ts'
import { snoozesApi } from './inbox/snooze.ts'
import { windowTemplatesApi } from './inbox/window-templates.ts'
import { incomingHooksApi } from './incoming-hooks/api.ts'
import type { ClientOf } from './kernel/contract.ts'
import { liveApi } from './live/log.ts'
import { mediaApi } from './media/api.ts'
import { fileUseApi } from './media/use.ts'
import { notificationsApi } from './notifications/api.ts'
import { pushApi } from './notifications/push.ts'
import { numbersApi } from './numbers/api.ts'
import { numberStandingApi } from './numbers/standing.ts'
import { optOutsApi } from './opt-outs/api.ts'
import { orgsApi } from './orgs/api.ts'
import { invitationsApi } from './orgs/invitations.ts'
import { membersApi } from './orgs/members.ts'
import { orgOwnershipApi } from './orgs/ownership.ts'
import { retentionApi } from './orgs/retention.ts'
import { orgSettingsApi } from './orgs/settings.ts'
import { visibilityApi } from './orgs/visibility.ts'
import { outgoingWebhooksApi } from './outgoing-webhooks/api.ts'
import { programsApi } from './programs/api.ts'
import { readyAnswersApi } from './ready-answers/api.ts'
import { savedViewsApi } from './saved-views/api.ts'
import { scheduledMessagesApi } from './scheduled-messages/api.ts'
import { sandboxApi } from './simulator/api.ts'
import { siteApi } from './site/api.ts'
import { statsApi } from './stats/api.ts'
import { statsExportApi } from './stats/export.ts'
import { statsReportApi } from './stats/report.ts'
import { tagsApi } from './tags/api.ts'
import { templatesApi } from './templates/api.ts'
import { upstreamApi } from './upstream/api.ts'

/** The endpoints of all features. */
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
  chatExport: chatExportApi,
  imports: importsApi,
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
  incomingHooks: incomingHooksApi,
  inbox: inboxApi,
  contacts: contactsApi,
  contactFields: contactFieldsApi,
  contactImports: contactImportsApi,
  contactMerges: contactMergesApi,
  deliveries: deliveriesApi,
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
  snoozes: snoozesApi,
  windowTemplates: windowTemplatesApi,
  retention: retentionApi,
  sandbox: sandboxApi,
  passwords: passwordsApi,
  emailChange: emailChangeApi,
  secondFactor: secondFactorApi,
  messageInfo: messageInfoApi,
  drafts: draftsApi,
  presence: presenceApi,
  profile: profileApi,
  programs: programsApi,
  sessions: sessionsApi,
  site: siteApi,
  sso: ssoApi,
  stats: statsApi,
  statsExport: statsExportApi,
  statsReport: statsReportApi,
  tags: tagsApi,
  templates: templatesApi,
  upstream: upstreamApi,
  visibility: visibilityApi,
} as const

export type ApiServices = typeof api
/** The typed API for loaders and components: calls services on the server, `fetch` in the browser. */
export type Api = { readonly [R in keyof ApiServices]: ClientOf<ApiServices[R]> }
