import type { FunctionException, SilentTables } from './exception.ts'

/* Tables and functions whose writes tell open tabs nothing. */

const pastTime = 'deletes expired rows, which nobody sees any more'

export const silentTables: readonly SilentTables[] = [
  {
    tables: [
      'user',
      'account',
      'session',
      'verification',
      'installation',
      'apikey',
      'member',
      'teamMember',
      'team',
      'invitation',
      'sign_in_budget',
      'sign_in_flow',
      'second_factor',
      'second_factor_setup',
      'backup_code',
      'trusted_device',
      'sso_attempt',
      'sso_identity',
      'oauth_code',
      'oauth_program',
      'oauth_token',
      'invitation_renewal',
      'push_key',
      'push_subscription',
    ],
    why: 'accounts and sign-in, mostly written by better-auth, which knows no events; hooks of it emit the events of organizations',
  },
  {
    tables: ['audit_entry', 'site_audit_entry', 'api_call', 'idempotency'],
    why: 'records of API calls, written whatever the call did',
  },
  {
    tables: ['job', 'job_pace', 'job_worker', 'job_lease', 'event', 'org_counter'],
    why: 'the tables with which events and jobs themselves are stored',
  },
  {
    tables: ['webhook_journal', 'webhook_place', 'untaken_item'],
    why: 'stored before the organization or the meaning is known',
  },
  {
    tables: ['message_attempt', 'received_file', 'uploaded_file', 'template_media', 'template_sync'],
    why: 'progress of background work; the rows that it changes emit the events',
  },
  { tables: ['search_place', 'snapshot'], why: 'rows of the installation, not of an organization' },
]

export const silentWrites: readonly FunctionException[] = [
  { file: 'server/features/notifications/store.ts', names: ['deleteByIds'], why: pastTime },
  { file: 'server/features/flows/presence-store.ts', names: ['deleteEndedEditors'], why: pastTime },
  { file: 'server/features/flows/trials/replay-store.ts', names: ['deleteReplays'], why: pastTime },
  { file: 'server/features/flows/sessions/session-store.ts', names: ['deleteEnded'], why: pastTime },
  { file: 'server/features/outgoing-webhooks/delivery-store.ts', names: ['deleteOldDeliveries'], why: pastTime },
  { file: 'server/features/outgoing-webhooks/event-store.ts', names: ['deleteOldEvents'], why: pastTime },
  { file: 'server/features/incoming-hooks/call-store.ts', names: ['deleteOldCalls'], why: pastTime },
  { file: 'server/features/flows/trials/test-store.ts', names: ['deleteTests'], why: pastTime },
  { file: 'server/messaging/drafts/store.ts', names: ['deleteDraftsBefore'], why: pastTime },
  {
    file: 'server/messaging/contacts/merging/record-store.ts',
    names: ['deleteMergeMessagesBefore', 'deleteMergesBefore'],
    why: pastTime,
  },
  { file: 'server/messaging/people/presence-store.ts', names: ['deleteEndedPresence'], why: pastTime },
  {
    file: 'server/identity/numbers/store.ts',
    names: ['touchConnection'],
    why: 'the time of the last webhook, updated now and then',
  },
  {
    file: 'server/identity/orgs/removal/removal-store.ts',
    names: ['hideOrganization', 'deleteOrganization'],
    why: 'deletes a whole organization, after its members lost access',
  },
]
