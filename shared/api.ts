import { apiCallsApi } from '#shared/api-calls/api.ts'
import { auditApi } from '#shared/audit/api.ts'
import { emailChangeApi } from '#shared/auth/email-change.ts'
import { passwordsApi } from '#shared/auth/passwords.ts'
import { profileApi } from '#shared/auth/profile.ts'
import { secondFactorApi } from '#shared/auth/second-factor.ts'
import { sessionsApi } from '#shared/auth/sessions.ts'
import { ssoApi } from '#shared/auth/sso.ts'
import { bulkSendsApi } from '#shared/bulk-sends/api.ts'
import { bulkDraftsApi } from '#shared/bulk-sends/drafts.ts'
import { contactsApi } from '#shared/contacts/api.ts'
import { contactFieldsApi } from '#shared/contacts/fields.ts'
import { contactImportsApi } from '#shared/contacts/imports.ts'
import { contactMergesApi } from '#shared/contacts/merges.ts'
import { deliveriesApi } from '#shared/deliveries/api.ts'
import { erasuresApi } from '#shared/erasures/api.ts'
import { orgExportApi } from '#shared/exports/api.ts'
import { chatExportApi } from '#shared/exports/chat.ts'
import { flowsApi } from '#shared/flows/api.ts'
import { flowSecretsApi } from '#shared/flows/http/secrets.ts'
import { flowPresenceApi } from '#shared/flows/presence.ts'
import { flowSettingsApi } from '#shared/flows/settings.ts'
import { flowReplaysApi } from '#shared/flows/testing/replays.ts'
import { flowTestsApi } from '#shared/flows/testing/tests.ts'
import { flowHooksApi } from '#shared/flows/triggers/hooks.ts'
import { historyApi } from '#shared/history/api.ts'
import { importsApi } from '#shared/imports/api.ts'
import { assignmentApi } from '#shared/inbox/assignment.ts'
import { draftsApi } from '#shared/inbox/drafts.ts'
import { inboxApi } from '#shared/inbox/inbox.ts'
import { messageInfoApi } from '#shared/inbox/message-info.ts'
import { notesApi } from '#shared/inbox/notes.ts'
import { presenceApi } from '#shared/inbox/presence.ts'
import { snoozesApi } from '#shared/inbox/snooze.ts'
import { windowTemplatesApi } from '#shared/inbox/window-templates.ts'
import { incomingHooksApi } from '#shared/incoming-hooks/api.ts'
import type { ClientOf } from '#shared/kernel/contract.ts'
import { liveApi } from '#shared/live/log.ts'
import { mediaApi } from '#shared/media/api.ts'
import { fileUseApi } from '#shared/media/use.ts'
import { notificationsApi } from '#shared/notifications/api.ts'
import { pushApi } from '#shared/notifications/push.ts'
import { numbersApi } from '#shared/numbers/api.ts'
import { numberStandingApi } from '#shared/numbers/standing.ts'
import { optOutsApi } from '#shared/opt-outs/api.ts'
import { orgsApi } from '#shared/orgs/api.ts'
import { invitationsApi } from '#shared/orgs/invitations.ts'
import { membersApi } from '#shared/orgs/members.ts'
import { orgOwnershipApi } from '#shared/orgs/ownership.ts'
import { retentionApi } from '#shared/orgs/retention.ts'
import { orgSettingsApi } from '#shared/orgs/settings.ts'
import { visibilityApi } from '#shared/orgs/visibility.ts'
import { outgoingWebhooksApi } from '#shared/outgoing-webhooks/api.ts'
import { programsApi } from '#shared/programs/api.ts'
import { readyAnswersApi } from '#shared/ready-answers/api.ts'
import { savedViewsApi } from '#shared/saved-views/api.ts'
import { scheduledMessagesApi } from '#shared/scheduled-messages/api.ts'
import { sandboxApi } from '#shared/simulator/api.ts'
import { siteApi } from '#shared/site/api.ts'
import { statsApi } from '#shared/stats/api.ts'
import { statsExportApi } from '#shared/stats/export.ts'
import { statsReportApi } from '#shared/stats/report.ts'
import { tagsApi } from '#shared/tags/api.ts'
import { templatesApi } from '#shared/templates/api.ts'
import { upstreamApi } from '#shared/upstream/api.ts'

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
