/**
 * Exceptions to the laws of `laws.ts`. Each gives the reason: what the code does, and why the law must not apply to it.
 */

/** This area may name these tables of other areas in its SQL. */
export interface TablePermit {
  readonly area: string
  readonly tables: readonly string[]
  readonly why: string
}

/** The law does not apply to these files. Folders end with a slash. */
export interface FilePermit {
  readonly where: readonly string[]
  readonly why: string
}

/** `where` may import `what`, although `what` is in a higher layer or another feature. Folders end with a slash. */
export interface ImportException {
  readonly where: string
  readonly what: string
  readonly why: string
}

/** Functions of a file to which a law does not apply, such as queries without a viewer's scope. */
export interface ReadPermit {
  readonly file: string
  readonly names: readonly string[]
  readonly why: string
}

/** No open tab shows rows of these tables, so writes to them need no event. */
export interface SilentTables {
  readonly tables: readonly string[]
  readonly why: string
}

const tables: readonly TablePermit[] = [
  {
    area: 'audit',
    tables: [
      'user',
      'session',
      'member',
      'invitation',
      'team',
      'teamMember',
      'apikey',
      'organization',
      'sso_provider',
      'sso_demand',
      'org_settings',
      'org_deletion',
      'opt_out_settings',
      'assignment_rule',
      'content_access',
      'content_access_setting',
      'tag',
      'wa_connection',
      'number_standing',
      'bulk_send',
      'history_entry',
      'contact_field',
      'bulk_pace',
      'contact_import',
      'rate_card',
      'flow_secret',
      'flow_hook',
      'incoming_hook',
      'outgoing_webhook',
      'flow_settings',
      'flow',
      'template',
    ],
    why: 'one store reads the state before and after a change for all areas, in the transactions that begin and finish the audit entry',
  },
  {
    area: 'exports',
    tables: [
      'organization',
      'org_settings',
      'member',
      'user',
      'team',
      'tag',
      'template',
      'contact',
      'contact_tag',
      'contact_field',
      'contact_value',
      'conversation',
      'message',
      'media',
      'reaction',
      'contact_identity',
      'wa_connection',
      'flow',
      'flow_version',
      'bulk_send',
      'bulk_recipient',
      'ready_answer',
      'ready_answer_file',
      'scheduled_message',
      'audience_segment',
      'saved_view',
      'audit_entry',
    ],
    why: 'an export contains everything an organization has, read in pages by one store',
  },
  {
    area: 'site',
    tables: ['user', 'session', 'member', 'organization'],
    why: "the site's list of accounts, with their sessions and organizations, takes three queries a page",
  },
  {
    area: 'live',
    tables: ['session', 'user', 'member', 'apikey'],
    why: 'one join over all open streams finds those of an ended session, a deleted key or a changed role',
  },
  {
    area: 'live',
    tables: ['org_settings', 'second_factor'],
    why: 'the same join finds members without the required second factor',
  },
  {
    area: 'upstream',
    tables: ['organization'],
    why: 'an event of the product API names an organization by id, and the stored rows refer to it',
  },
  {
    area: 'push',
    tables: ['org_settings', 'second_factor'],
    why: 'the claim of a push checks that the member meets the second-factor requirement',
  },
  {
    area: 'orgs',
    tables: ['second_factor'],
    why: 'one lookup per request reads the membership and whether the member meets the second-factor requirement',
  },
  {
    area: 'auth',
    tables: ['former_slug'],
    why: 'single sign-on is also offered at former slugs of an organization',
  },
  {
    area: 'auth',
    tables: ['org_settings'],
    why: "one lookup per request checks that the key's owner meets the second-factor requirement",
  },
  {
    area: 'messaging',
    tables: ['user'],
    why: "a list row includes the assignee's name, without a query per row",
  },
  {
    area: 'messaging',
    tables: ['member', 'team', 'teamMember'],
    why: "the transaction that assigns a conversation checks that the member or team exists; a list row includes the team's name",
  },
  {
    area: 'messaging',
    tables: ['media'],
    why: 'a message and its file are written in one insert and read in one query',
  },
  {
    area: 'db',
    tables: ['row_use'],
    why: 'triggers count rows for all areas; the quota is checked in the transaction that adds a row',
  },
  {
    area: 'media',
    tables: ['org_settings'],
    why: "one query reads the organization's storage limit and what its files take, before each upload",
  },
  {
    area: 'templates',
    tables: [
      'bulk_send',
      'bulk_recipient',
      'bulk_draft',
      'flow',
      'flow_version',
      'flow_test',
      'job',
      'message',
      'org_settings',
    ],
    why: 'a header file is deleted when no row names it any more; one store checks that, a page at a time',
  },
  { area: 'messaging', tables: ['wa_connection'], why: 'the transaction that stores a send reads our number' },
  {
    area: 'outbox',
    tables: ['message', 'conversation', 'contact'],
    why: 'one query claims 64 sends with their content and recipient',
  },
  {
    area: 'media',
    tables: ['conversation'],
    why: "a file is downloaded with the access token of its conversation's number",
  },
  { area: 'media', tables: ['message'], why: 'one join checks that the viewer may read the message of a file' },
  {
    area: 'notifications',
    tables: ['member'],
    why: 'a notification for a role goes to the members who have the role at the commit',
  },
  {
    area: 'notifications',
    tables: ['conversation'],
    why: 'muting checks that the conversation belongs to the organization',
  },
  {
    area: 'orgs',
    tables: ['user', 'session', 'organization', 'member', 'invitation', 'team', 'teamMember'],
    why: 'better-auth owns these tables, but has no lists with names, roles, pages or filters',
  },
  {
    area: 'orgs',
    tables: ['conversation'],
    why: 'one query counts the waiting conversations of all organizations of a person',
  },
  {
    area: 'orgs',
    tables: ['contact', 'wa_connection'],
    why: 'one transaction hides an organization and stops its sends, before its rows are deleted in batches',
  },
  {
    area: 'erasures',
    tables: [
      'contact',
      'contact_merge',
      'contact_merge_message',
      'message',
      'media',
      'flow_session',
      'idempotency',
      'wa_connection',
      'webhook_journal',
      'sandbox_message',
      'sandbox_media',
      'sandbox_customer',
    ],
    why: 'an erasure must cover every table; each step commits together with its progress, so one store has them all',
  },
  {
    area: 'push',
    tables: ['notification', 'organization', 'session', 'member'],
    why: 'the claim of a push reads its text and checks that session and membership still exist',
  },
  {
    area: 'numbers',
    tables: ['conversation'],
    why: 'the transaction that disconnects a number keeps its row if it has conversations',
  },
  {
    area: 'search',
    tables: ['message', 'media', 'conversation', 'contact_tag'],
    why: 'one statement indexes texts and file names; results are checked against the organization and the filters of the search',
  },
  {
    area: 'stats',
    tables: ['conversation', 'message', 'contact', 'contact_tag', 'wa_connection'],
    why: 'statistics sum up rows of the inbox, build segments from its messages, and read the costs of connected accounts',
  },
  {
    area: 'stats',
    tables: ['user', 'member'],
    why: 'the recipients of the mailed report: their names, whether they are still members, and their address',
  },
  {
    area: 'stats',
    tables: ['org_settings', 'second_factor'],
    why: 'the query that reads the address checks the second-factor requirement',
  },
  {
    area: 'stats',
    tables: ['organization'],
    why: 'old rows are deleted organization by organization, because the indexes begin with it',
  },
  {
    area: 'bulk-sends',
    tables: ['contact', 'contact_identity', 'contact_tag', 'conversation'],
    why: 'an audience of thousands is read a page at a time, with names and the number of recent marketing messages',
  },
  {
    area: 'visibility',
    tables: ['conversation', 'contact_tag'],
    why: "the scope's condition, which every query of conversations includes",
  },
  {
    area: 'visibility',
    tables: ['member', 'team', 'teamMember'],
    why: 'a scope depends on teams; the transaction that changes them finds the open tabs to refresh',
  },
  {
    area: 'messaging',
    tables: ['tag', 'contact_tag'],
    why: 'one query reads the tags of a page of the list; a merge of two contacts moves their tags',
  },
  {
    area: 'templates',
    tables: ['wa_connection'],
    why: 'the sync finds due accounts by their connected number',
  },
  {
    area: 'simulator',
    tables: ['wa_connection'],
    why: 'the simulator lists its numbers that are connected',
  },
]

const sql: readonly FilePermit[] = [
  { where: ['server/platform/db/bulk.ts'], why: 'builds statements that write many rows' },
  { where: ['server/platform/db/migrate.ts'], why: 'runs the migrations' },
  { where: ['server/platform/db/postgres/examine.ts'], why: 'checks a PostgreSQL server before it is used' },
  {
    where: ['server/platform/db/sqlite/row-address.ts', 'server/platform/db/postgres/row-address.ts'],
    why: 'one keyword of the engine, used in statements of stores',
  },
  {
    where: ['server/platform/db/sqlite/sought-by.ts', 'server/platform/db/postgres/sought-by.ts'],
    why: 'an index hint, used in statements of stores',
  },
  { where: ['server/platform/db/db.ts'], why: 'savepoints, so that a part of a transaction can fail alone' },
  {
    where: ['server/identity/visibility/condition.ts', 'server/identity/auth/sso/demand-condition.ts'],
    why: 'a condition that stores include in their statements',
  },
  { where: ['server/identity/auth/sign-in/budget.ts'], why: 'checks and uses up a budget in one statement' },
  {
    where: ['server/identity/numbers/listed-kind.ts'],
    why: 'a condition that three areas include in their queries, which saves each a query for the numbers',
  },
]

const sqlite: readonly FilePermit[] = [{ where: ['server/platform/db/db.ts'], why: 'the type of the raw connections' }]

const postgres: readonly FilePermit[] = []

const upward: readonly ImportException[] = [
  {
    where: 'server/web/',
    what: 'server/app.ts',
    why: 'the type of the function that mounts the pages on the application',
  },
]

const client: readonly ImportException[] = [
  {
    where: 'client/app/routes/',
    what: 'client/',
    why: 'the route table imports every page',
  },
  {
    where: 'client/app/start-page.tsx',
    what: 'client/shell/',
    why: 'the first render shows the shell and loads the session',
  },
  { where: 'client/app/entry.client.tsx', what: 'client/shell/', why: 'the styles of every page' },
  {
    where: 'client/contacts/contact-side.tsx',
    what: 'client/inbox/contact/contact-card.tsx',
    why: 'the contact list shows the same card as the inbox, loaded on demand',
  },
]

const network: readonly FilePermit[] = [
  { where: ['server/whatsapp/graph/graph.ts', 'server/whatsapp/graph/graph-connections.ts'], why: 'the Cloud API' },
  { where: ['server/simulator/webhooks/http-delivery.ts'], why: "the simulator's webhooks to this server" },
  {
    where: ['server/platform/outbound/outbound.ts'],
    why: 'requests to addresses that people enter; only public addresses are allowed',
  },
  { where: ['server/platform/storage/s3-client.ts'], why: 'the S3 storage named in the environment' },
  {
    where: ['client/app/calls/api.ts', 'client/app/calls/auth-api.ts'],
    why: "calls of the API's contracts and of better-auth",
  },
  { where: ['client/app/calls/live.ts'], why: 'the event stream' },
  {
    where: ['client/app/calls/upload.ts'],
    why: 'uploads that show progress, and downloads of files that are sent again',
  },
  { where: ['client/app/preferences/i18n.ts'], why: 'loads the texts of another language' },
  {
    where: ['client/app/hydration/missing-part.ts', 'client/app/hydration/stuck-page.ts'],
    why: 'checks whether the server responds after a script failed to load',
  },
  { where: ['client/public/sw.js'], why: 'the service worker' },
  {
    where: ['client/public/api-reference.js'],
    why: 'loads pages of the API reference and runs the calls that a reader tries',
  },
  { where: ['server/web/reference/samples.ts'], why: 'prints example programs; makes no request' },
]

const timers: readonly FilePermit[] = [
  {
    where: ['server/platform/jobs/'],
    why: 'the job runner: waits for the next due job, renews leases, and limits how long a shutdown takes',
  },
  {
    where: ['server/messaging/intake/derive.ts'],
    why: 'applies stored webhooks in order under a lease; waits for the next due row, so a restart loses nothing',
  },
  {
    where: ['server/features/upstream/chats.ts'],
    why: 'a page waits briefly for the product API, then shows what is known',
  },
  {
    where: ['server/features/upstream/events/stream.ts'],
    why: 'keeps one connection open under a lease: reconnects after a pause, and gives up a connection that receives no byte',
  },
  {
    where: ['server/identity/api-calls/recorder.ts'],
    why: 'writes the API calls of a few seconds in one commit; a crash may lose those not yet written',
  },
  {
    where: ['server/identity/orgs/removal.ts'],
    why: 'pauses between batches of a deletion so that other writes can run',
  },
  { where: ['server/features/exports/downloads.ts'], why: 'ends a download whose client stopped reading' },
  { where: ['server/web/assets.ts'], why: 'runs in the page: loads its scripts after the first paint' },
  {
    where: ['server/platform/storage/s3-client.ts'],
    why: 'retries a storage request while the caller waits',
  },
  { where: ['server/messaging/intake/pace.ts'], why: 'pauses between slices of work so that requests can run' },
  {
    where: ['server/messaging/intake/journal.ts'],
    why: 'collects webhooks for a few milliseconds into one commit; their senders get the response after it',
  },
  {
    where: [
      'server/messaging/search/indexing.ts',
      'server/features/stats/segments/updater.ts',
      'server/features/stats/cost/updater.ts',
    ],
    why: 'pauses between slices so that other writes can run',
  },
  { where: ['server/messaging/live/hub.ts', 'server/messaging/live/routes.ts'], why: 'heartbeats of open streams' },
  {
    where: ['server/messaging/live/short-lived.ts'],
    why: 'deletes short-lived rows after minutes; the hourly cleanup deletes those of a process that died',
  },
  {
    where: ['server/messaging/outbox/spacing.ts'],
    why: 'waits until the next second once the rate limit is used up; every waiting message is a row',
  },
  {
    where: ['server/platform/db/postgres/signals.ts'],
    why: 'a notification of another process can be lost, so listeners also poll each second',
  },
  {
    where: ['server/platform/db/sqlite/lock-waiting-driver.ts'],
    why: 'waits some milliseconds for the lock of another process',
  },
  { where: ['server/main.ts'], why: 'exits if the shutdown hangs' },
  {
    where: ['server/platform/http/plugins/health.ts', 'server/web/render.ts', 'server/whatsapp/graph/call-endings.ts'],
    why: 'gives up a request that gets no answer in time',
  },
  {
    where: ['server/platform/http/plugins/idempotency.ts'],
    why: 'retries storing a response for half a minute; after that the row counts the key as abandoned',
  },
  { where: ['server/simulator/faults/breakage.ts'], why: 'simulates a network that hangs' },
  {
    where: ['server/features/gateway/files.ts'],
    why: 'polls until a file that a program asked for has been downloaded',
  },
  { where: ['client/'], why: 'a page cannot store rows; whatever must survive it is on the server' },
]

const chance: readonly FilePermit[] = [
  { where: ['server/platform/crypto/random.ts'], why: 'the only source of randomness' },
  {
    where: ['client/app/calls/live.ts', 'client/app/queries/queries.ts'],
    why: 'spreads reconnects and refetches of many tabs',
  },
  {
    where: ['client/inbox/thread/thread-acts.ts', 'client/inbox/thread/bubble/forward-dialog.tsx'],
    why: 'the idempotency key of a send',
  },
  {
    where: ['client/inbox/composer/team-drafts.tsx'],
    why: 'identifies the open page that saved a draft, so that it ignores its own event',
  },
  { where: ['client/simulator/new-customer.ts'], why: 'makes up a customer for the simulator' },
  { where: ['client/admin/sso-draft.ts'], why: "the form shows the provider's id before it is saved" },
  { where: ['client/flows/editor/part-id.ts'], why: 'ids of nodes that are not stored yet' },
  {
    where: ['client/templates/builder/form.ts'],
    why: 'React keys of rows that are not stored yet, and the idempotency key of a send',
  },
  {
    where: [
      'client/templates/send-dialog.tsx',
      'client/bulk-sends/create/plan/use-planned.ts',
      'client/bulk-sends/create/confirm/test-send.tsx',
    ],
    why: 'the idempotency key of a template message',
  },
  {
    where: ['client/scheduled-messages/form.tsx', 'client/inbox/kinds/compose-dialog.tsx'],
    why: 'the idempotency key of a message or a scheduled message',
  },
]

const time: readonly FilePermit[] = [
  { where: ['server/platform/time/clock.ts'], why: 'the only clock' },
  {
    where: ['server/platform/crypto/ids.ts'],
    why: "ids sort by creation time; with a test's fixed clock two ids could be equal",
  },
  {
    where: [
      'client/app/hydration/early.ts',
      'client/app/calls/live.ts',
      'client/public/api-reference.js',
      'client/inbox/composer/use-composer-sending.ts',
      'client/notifications/',
      'client/shell/tooltips.ts',
      'client/ui/text/moment.tsx',
    ],
    why: "measures how long something has been on screen, which needs the browser's clock",
  },
]

const vendorCodes: readonly FilePermit[] = [
  {
    where: ['shared/simulator/faults.ts', 'client/simulator/tools.tsx'],
    why: 'the simulator lets people choose the error code that Meta returns',
  },
]

const vendorWords: readonly FilePermit[] = [
  { where: ['shared/templates/words.ts'], why: 'names and translates them; the contract of templates has them' },
  { where: ['shared/simulator/api.ts'], why: 'the decisions that the simulated Meta can be asked for' },
  {
    where: ['server/features/outgoing-webhooks/kinds/organization.ts'],
    why: 'the sample of `template.status`, whose fields hold them',
  },
]

const atWork = 'background work: the rows are stored, sent or deleted, and returned to nobody'
const belongs = "reads more columns of rows that were selected with the scope's condition"
const pastTime = 'deletes expired rows, which nobody sees any more'
const begins = "returns the start of a query; the callers add the scope's condition"

const unscoped: readonly ReadPermit[] = [
  {
    file: 'server/messaging/mirrored/mirrored-store.ts',
    names: ['selectMirrored'],
    why: 'its only caller findMirrored checks the scope',
  },
  {
    file: 'server/messaging/assignment/rule-store.ts',
    names: ['listLastWriters', 'listWaiting'],
    why: atWork,
  },
  { file: 'server/messaging/people/members-store.ts', names: ['countOpen'], why: atWork },
  {
    file: 'server/features/exports/store.ts',
    names: ['listContacts', 'listTagsOf', 'listMessages', 'listFiles'],
    why: 'only owners and administrators export, and they see every conversation',
  },
  {
    file: 'server/features/exports/archive/record-store.ts',
    names: ['listContacts', 'listTagsOfContacts', 'listOtherIds', 'listConversations', 'listMessages', 'listReactions'],
    why: 'only owners and administrators export, and they see every conversation',
  },
  { file: 'server/messaging/people/assignment-store.ts', names: ['listAssigned'], why: atWork },
  { file: 'server/messaging/templates/naming-store.ts', names: ['selectWaitingMessages'], why: atWork },
  { file: 'server/features/erasures/contact-store.ts', names: ['listQueued', 'listMessages'], why: atWork },
  { file: 'server/features/erasures/sweep-store.ts', names: ['findTheirMessages'], why: atWork },
  {
    file: 'server/features/bulk-sends/reports/report-store.ts',
    names: ['listRecipients', 'listBehind'],
    why: 'recipients of one bulk send; the service has checked that the viewer sees it, and the report names its recipients',
  },
  {
    file: 'server/features/bulk-sends/audience/audience-store.ts',
    names: ['listTagged', 'findByPhone', 'findTagsOfContacts', 'findJustSent', 'countMarketing'],
    why: 'whom a role may send to is a permission of its own, checked in rights.ts',
  },
  {
    file: 'server/features/bulk-sends/audience/segment-store.ts',
    names: ['findWindowEnd', 'listOfSegment'],
    why: 'whom a role may send to is a permission of its own, checked in rights.ts',
  },
  {
    file: 'server/features/bulk-sends/sending/opened-store.ts',
    names: ['findInWindow'],
    why: "checks only whether a recipient counts against Meta's limit",
  },
  { file: 'server/messaging/directory/contact-store.ts', names: ['findContacts'], why: atWork },
  { file: 'server/messaging/contacts/outside-name-store.ts', names: ['findOutsideNames'], why: atWork },
  { file: 'server/messaging/contacts/importing/store.ts', names: ['findNotes', 'findPlaces'], why: atWork },
  {
    file: 'server/messaging/contacts/merging/record-store.ts',
    names: ['readWhole', 'insertMergeMessages'],
    why: "moves rows of two contacts whose chats were checked with the scope's condition",
  },
  { file: 'server/messaging/contacts/merging/parting-store.ts', names: ['findStatus'], why: atWork },
  { file: 'server/messaging/messages/delivery-store.ts', names: ['selectDelivery'], why: atWork },
  { file: 'server/messaging/conversations/rows/list-row-store.ts', names: ['findRows'], why: atWork },
  {
    file: 'server/messaging/conversations/list/list-walk-store.ts',
    names: ['findRareTag'],
    why: "chooses the query plan; the query itself has the scope's condition",
  },
  { file: 'server/messaging/conversations/rows/list-row-store.ts', names: ['selectShown', 'selectRows'], why: begins },
  { file: 'server/messaging/conversations/rows/list-row-store.ts', names: ['findTags'], why: belongs },
  { file: 'server/messaging/contacts/contact-details-store.ts', names: ['findContactNote'], why: belongs },
  {
    file: 'server/messaging/contacts/contact-list-store.ts',
    names: ['findWindowStart'],
    why: "an id that limits the next page, whose query has the scope's condition",
  },
  {
    file: 'server/messaging/contacts/contact-sort-store.ts',
    names: ['selectByName', 'selectByActivity'],
    why: "ids of the next page in order; the query that reads the contacts has the scope's condition",
  },
  {
    file: 'server/messaging/contacts/segment-store.ts',
    names: ['meetsSegment'],
    why: "a condition for queries that have the scope's condition themselves",
  },
  { file: 'server/messaging/directory/blocking-store.ts', names: ['findBlock'], why: belongs },
  { file: 'server/messaging/directory/opt-out-store.ts', names: ['findOptOuts'], why: belongs },
  {
    file: 'server/messaging/directory/merge-store.ts',
    names: ['mergeContacts', 'moveMessages', 'mergeFacts'],
    why: atWork,
  },
  { file: 'server/messaging/messages/message-change-store.ts', names: ['findTargets'], why: atWork },
  { file: 'server/messaging/messages/message-change-store.ts', names: ['findOwnReaction'], why: belongs },
  { file: 'server/messaging/messages/past-file-store.ts', names: ['findPlaces'], why: atWork },
  { file: 'server/messaging/messages/message-store.ts', names: ['findMessages'], why: atWork },
  {
    file: 'server/messaging/messages/old-message-store.ts',
    names: ['contactsAfter', 'listConversationPage', 'selectOldMessages', 'listEmptied'],
    why: atWork,
  },
  {
    file: 'server/messaging/imported/archived-store.ts',
    names: ['findWamids', 'findChecked', 'findContactFacts', 'findTagged'],
    why: atWork,
  },
  {
    file: 'server/messaging/imported/store.ts',
    names: ['findIds', 'listBetween', 'listOfImport', 'findEndOf', 'hasMessage', 'hasAnyMessage'],
    why: atWork,
  },
  { file: 'server/messaging/messages/message-store.ts', names: ['selectCore', 'selectMessages'], why: begins },
  {
    file: 'server/messaging/messages/message-store.ts',
    names: ['findMedia', 'findQuoted', 'findPictures', 'findReactions'],
    why: belongs,
  },
  { file: 'server/messaging/drafts/store.ts', names: ['findQuoted'], why: belongs },
  {
    file: 'server/messaging/conversations/changes/simulated-time-store.ts',
    names: ['findNewestSeq', 'listMessageTimes', 'listReactionTimes', 'listSimulatedTimes'],
    why: atWork,
  },
  {
    file: 'server/messaging/conversations/rows/store.ts',
    names: ['findLastWriter'],
    why: 'finds the person to notify; the caller checks their scope',
  },
  {
    file: 'server/messaging/live/store.ts',
    names: ['afterQuery'],
    why: 'the event feed of the whole organization; sight.ts filters it for each reader',
  },
  {
    file: 'server/messaging/live/store.ts',
    names: ['oldestOf', 'deleteEventsBefore', 'deletePassingBefore'],
    why: atWork,
  },
  { file: 'server/messaging/actions/store.ts', names: ['findAction'], why: atWork },
  { file: 'server/messaging/sending/send-store.ts', names: ['hasOutbound'], why: belongs },
  { file: 'server/messaging/media/store.ts', names: ['findPending'], why: atWork },
  { file: 'server/messaging/media/uploads-store.ts', names: ['listUnsent', 'findSentMedia'], why: atWork },
  {
    file: 'server/messaging/conversations/list/list-walk-store.ts',
    names: ['slice'],
    why: 'the next slice of the list; findWanted keeps the rows that the viewer sees',
  },
  { file: 'server/messaging/search/index-store.ts', names: ['selectUnread'], why: atWork },
  {
    file: 'server/features/stats/segments/store.ts',
    names: ['selectSegmentMessages', 'findConversations', 'listNewestConversations', 'listDue'],
    why: atWork,
  },
  { file: 'server/features/stats/segments/progress-store.ts', names: ['readProgress'], why: atWork },
  {
    file: 'server/features/stats/cost/sent-store.ts',
    names: ['selectArrived', 'readCountingProgress'],
    why: atWork,
  },
  { file: 'server/features/stats/cost/last-template-store.ts', names: ['findLastTemplates'], why: atWork },
  {
    file: 'server/messaging/search/narrowing-store.ts',
    names: ['newestSeqsOf'],
    why: 'sequence numbers of messages; meantOf keeps those that the viewer sees',
  },
  {
    file: 'server/messaging/search/newest-store.ts',
    names: ['selectNewest'],
    why: 'sequence numbers of messages; meantOf keeps those that the viewer sees',
  },
  {
    file: 'server/messaging/media/store.ts',
    names: ['findMediaOrganization'],
    why: 'returns only the id of the organization',
  },
  {
    file: 'server/features/notifications/conversation-store.ts',
    names: ['unreadAbout'],
    why: 'the caller passes only people who see the conversation',
  },
  { file: 'server/features/notifications/store.ts', names: ['placeOf'], why: belongs },
  {
    file: 'server/features/notifications/store.ts',
    names: ['unreadAndAny'],
    why: "applies the condition it gets; countUnread passes the reader's",
  },
  {
    file: 'server/features/notifications/store.ts',
    names: ['deleteNotificationsBefore', 'trimNotifications'],
    why: atWork,
  },
  { file: 'server/identity/numbers/store.ts', names: ['releaseConnection'], why: atWork },
  { file: 'server/identity/orgs/removal-store.ts', names: ['listInterruptedCreations'], why: atWork },
  {
    file: 'server/identity/orgs/store.ts',
    names: ['inboxesOfPerson'],
    why: 'counts for members who see everything; findInboxFor counts for the others',
  },
  { file: 'server/messaging/outbox/attempt-store.ts', names: ['findAttempts', 'findBegun'], why: atWork },
  { file: 'server/messaging/outbox/store.ts', names: ['findSendRows', 'isStillWaiting'], why: atWork },
  {
    file: 'server/features/push/store.ts',
    names: ['findDeliveries'],
    why: 'the scope is checked again when the push is sent',
  },
  { file: 'server/messaging/tags/contact-store.ts', names: ['countTags'], why: belongs },
  { file: 'server/messaging/tags/contact-store.ts', names: ['listSome'], why: atWork },
  {
    file: 'server/messaging/tags/contact-store.ts',
    names: ['countContacts', 'countByTag'],
    why: 'only callers who may manage contacts reach it, and they see every conversation',
  },
  {
    file: 'server/identity/visibility/store.ts',
    names: ['factsById'],
    why: "the facts from which the scope's check decides",
  },
]

const silentTables: readonly SilentTables[] = [
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

const silentWrites: readonly ReadPermit[] = [
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
    file: 'server/identity/orgs/removal-store.ts',
    names: ['hideOrganization', 'deleteOrganization'],
    why: 'deletes a whole organization, after its members lost access',
  },
]

const seesAll: readonly FilePermit[] = [
  {
    where: ['server/messaging/sending/first-message.ts', 'server/features/incoming-hooks/doing.ts'],
    why: 'a program calls the address of a flow or hook with a phone number, and gets nothing of the conversation back',
  },
  {
    where: ['server/messaging/mirrored/mirror.ts', 'server/messaging/mirrored/storing.ts'],
    why: "writes the conversation's row for a message of the product API; readers of the row have their scope checked",
  },
  {
    where: ['server/messaging/live/sight.ts', 'server/features/push/push.ts'],
    why: 'checks the scopes of many readers at once',
  },
]

export const permits = {
  tables,
  sql,
  sqlite,
  postgres,
  upward,
  client,
  network,
  timers,
  chance,
  time,
  vendorCodes,
  vendorWords,
  unscoped,
  silentTables,
  silentWrites,
  seesAll,
} as const
