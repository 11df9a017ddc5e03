/** What the laws let through, and why. Whoever adds a line says what it would cost to do without. */

/** `area` may name these tables of other areas in its SQL. */
export interface TablePermit {
  readonly area: string
  readonly tables: readonly string[]
  readonly why: string
}

/** Folders end with a slash. */
export interface FilePermit {
  readonly where: readonly string[]
  readonly why: string
}

/** `where` imports `what` although that goes up a layer, or to another feature; folders end with a slash. */
export interface ImportException {
  readonly where: string
  readonly what: string
  readonly why: string
}

/** Functions of a file that a law lets through, such as those that read without asking who looks. */
export interface ReadPermit {
  readonly file: string
  readonly names: readonly string[]
  readonly why: string
}

/** Nothing of these is on a screen that somebody may have open, so writing them says nothing to anybody. */
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
    why: 'what a change was made to, before and after, is read in the transactions that begin and finish its entry, by one store for all areas',
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
    why: 'an owner takes everything along, read a page at a time',
  },
  {
    area: 'site',
    tables: ['user', 'session', 'member', 'organization'],
    why: 'who has an account, where they are signed in and of which organizations they are, in three queries a page',
  },
  {
    area: 'live',
    tables: ['session', 'user', 'member', 'apikey'],
    why: 'who hears of a signed-out session, a deleted key or a changed role is one join over all open streams',
  },
  {
    area: 'live',
    tables: ['org_settings', 'second_factor'],
    why: 'whose second factor is missing where it is demanded is part of that join',
  },
  {
    area: 'upstream',
    tables: ['organization'],
    why: 'an event from outside names an organization by its id, and its rows refer to it',
  },
  {
    area: 'push',
    tables: ['org_settings', 'second_factor'],
    why: 'a push is claimed only while its member meets the demand for a second factor',
  },
  {
    area: 'orgs',
    tables: ['second_factor'],
    why: 'who is a member, and whether they meet the demand for a second factor, is one lookup of every call',
  },
  {
    area: 'auth',
    tables: ['former_slug'],
    why: 'single sign-on is offered at addresses that an organization had, too',
  },
  {
    area: 'auth',
    tables: ['org_settings'],
    why: 'a key opens nothing while its maker does not meet the demand for a second factor: one lookup of every call',
  },
  {
    area: 'messaging',
    tables: ['user'],
    why: 'the name of the assignee comes with the row of the list, without a query per row',
  },
  {
    area: 'messaging',
    tables: ['member', 'team', 'teamMember'],
    why: 'only members and teams have conversations, asked in the transaction that changes whose they are or gives them out; the name of the team comes with the row of the list',
  },
  {
    area: 'messaging',
    tables: ['media'],
    why: 'a message and the file that belongs to it are one insert and one read',
  },
  {
    area: 'db',
    tables: ['row_use'],
    why: 'triggers count it for all areas, and each asks in the transaction that adds a row',
  },
  {
    area: 'media',
    tables: ['org_settings'],
    why: 'the limit that an organization set is read with what its files take, before each file',
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
    why: 'a file of a header is deleted when nothing names it any more, which is read a page at a time by one store',
  },
  { area: 'messaging', tables: ['wa_connection'], why: 'our own number is read in the transaction that stores a send' },
  {
    area: 'outbox',
    tables: ['message', 'conversation', 'contact'],
    why: 'a claim reads what is sent and to whom in one query for sixty-four rows',
  },
  {
    area: 'media',
    tables: ['conversation'],
    why: 'a file is fetched with the keys of the number its conversation is held on',
  },
  { area: 'media', tables: ['message'], why: 'a file is for whoever may read its message: one join, no list of ids' },
  {
    area: 'notifications',
    tables: ['member'],
    why: 'a notification for a role goes to those who have it at the commit',
  },
  {
    area: 'notifications',
    tables: ['conversation'],
    why: 'muting is refused for a conversation of another organization',
  },
  {
    area: 'orgs',
    tables: ['user', 'session', 'organization', 'member', 'invitation', 'team', 'teamMember'],
    why: 'better-auth has the tables and no lists with names, roles, pages or filters over them',
  },
  { area: 'orgs', tables: ['conversation'], why: 'how many wait is counted for all organizations of a person at once' },
  {
    area: 'orgs',
    tables: ['contact', 'wa_connection'],
    why: 'what is deleted leaves in pieces, and what still sends goes first, in one transaction',
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
    why: 'a person goes out of all there is, each piece in the commit that notes how far it is; areas that each did it could each forget it',
  },
  {
    area: 'push',
    tables: ['notification', 'organization', 'session', 'member'],
    why: 'a push is claimed with what it says and only while its session and membership live',
  },
  {
    area: 'numbers',
    tables: ['conversation'],
    why: 'a number that has conversations is remembered when it is let go, decided in that transaction',
  },
  {
    area: 'search',
    tables: ['message', 'media', 'conversation', 'contact_tag'],
    why: 'texts and names of files go into the index by one statement, and what is found is checked against its organization and what narrows the search',
  },
  {
    area: 'stats',
    tables: ['conversation', 'message', 'contact', 'contact_tag', 'wa_connection'],
    why: 'figures are sums over the inbox, segments are read from its messages, and accounts with a connected number are asked what they cost',
  },
  {
    area: 'stats',
    tables: ['user', 'member'],
    why: 'the recipients of the report with what they are called, whether they are members still, and the address of one',
  },
  {
    area: 'stats',
    tables: ['org_settings', 'second_factor'],
    why: 'a report is mailed only to a member who meets the demand for a second factor, asked with the address',
  },
  {
    area: 'stats',
    tables: ['organization'],
    why: 'old rows are found organization by organization, which is how their indexes begin',
  },
  {
    area: 'bulk-sends',
    tables: ['contact', 'contact_identity', 'contact_tag', 'conversation'],
    why: 'an audience of thousands is read a page at a time, with what each is called and how much marketing each had',
  },
  {
    area: 'visibility',
    tables: ['conversation', 'contact_tag'],
    why: 'the condition every reader of conversations puts into its own statement',
  },
  {
    area: 'visibility',
    tables: ['member', 'team', 'teamMember'],
    why: 'who sees what hangs on their teams, and whose open tabs forget is known in the transaction that changes it',
  },
  {
    area: 'messaging',
    tables: ['tag', 'contact_tag'],
    why: 'the tags of a page of the list are one lookup; two contacts become one with theirs',
  },
  {
    area: 'templates',
    tables: ['wa_connection'],
    why: 'lists that are due are found by the account that is connected now',
  },
  {
    area: 'simulator',
    tables: ['wa_connection'],
    why: 'the simulator lists its numbers that an organization has connected',
  },
]

const sql: readonly FilePermit[] = [
  { where: ['server/platform/db/bulk.ts'], why: 'the builder of writes of many rows' },
  { where: ['server/platform/db/migrate.ts'], why: 'runs the migrations' },
  { where: ['server/platform/db/postgres/examine.ts'], why: 'asks a server about itself before it is worked with' },
  {
    where: ['server/platform/db/sqlite/row-address.ts', 'server/platform/db/postgres/row-address.ts'],
    why: 'one word of the engine, for the statements of others',
  },
  {
    where: ['server/platform/db/sqlite/sought-by.ts', 'server/platform/db/postgres/sought-by.ts'],
    why: 'the index by which a table is sought, for the statements of others',
  },
  { where: ['server/platform/db/db.ts'], why: 'savepoints: a part of a transaction that may fail alone' },
  {
    where: ['server/identity/visibility/condition.ts', 'server/identity/auth/sso/demand-condition.ts'],
    why: 'the condition by which conversations are seen, in the statements of others',
  },
  { where: ['server/identity/auth/sign-in/budget.ts'], why: 'a budget is used up by the statement that asks for it' },
  {
    where: ['server/identity/numbers/listed-kind.ts'],
    why: 'one condition that three areas put into their own queries, so that none asks the numbers first',
  },
]

const sqlite: readonly FilePermit[] = [{ where: ['server/platform/db/db.ts'], why: 'the type of the raw connections' }]

const postgres: readonly FilePermit[] = []

const upward: readonly ImportException[] = [
  { where: 'server/web/', what: 'server/app.ts', why: 'the type of what mounts the pages on the application' },
]

const client: readonly ImportException[] = [
  {
    where: 'client/app/routes/',
    what: 'client/',
    why: 'every address with its page, and what is around them',
  },
  { where: 'client/app/start-page.tsx', what: 'client/shell/', why: 'the first moments of a page and of its session' },
  { where: 'client/app/entry.client.tsx', what: 'client/shell/', why: 'the styles of every page' },
  {
    where: 'client/contacts/contact-side.tsx',
    what: 'client/inbox/contact/contact-card.tsx',
    why: 'a contact looks the same beside the list as beside its chat; loaded when it is opened',
  },
]

const network: readonly FilePermit[] = [
  { where: ['server/whatsapp/graph.ts', 'server/whatsapp/graph-connections.ts'], why: 'the Cloud API' },
  { where: ['server/simulator/webhooks/http-delivery.ts'], why: "the simulator's webhooks to this server" },
  { where: ['server/platform/outbound/outbound.ts'], why: 'addresses that people type, public ones only' },
  { where: ['server/platform/storage/s3-client.ts'], why: 'the storage of files that the environment names' },
  { where: ['client/app/api.ts', 'client/app/auth-api.ts'], why: "the calls of contracts, and better-auth's" },
  { where: ['client/app/live.ts'], why: 'the stream of events' },
  { where: ['client/app/upload.ts'], why: 'files, whose progress is shown, and those that are sent on' },
  { where: ['client/app/i18n.ts'], why: 'texts of another language' },
  {
    where: ['client/app/hydration/missing-part.ts', 'client/app/hydration/stuck-page.ts'],
    why: 'asks whether the server is there after a part did not come',
  },
  { where: ['client/public/sw.js'], why: 'the service worker' },
  { where: ['client/public/api-reference.js'], why: 'the API reference: its pages, and calls that its reader tries' },
  { where: ['server/web/reference/samples.ts'], why: 'writes programs for readers, and calls nothing' },
]

const timers: readonly FilePermit[] = [
  {
    where: ['server/platform/jobs/'],
    why: 'the runner of everything that waits: sleeps until the next job is due, keeps leases alive, ends in time',
  },
  {
    where: ['server/messaging/intake/derive.ts'],
    why: 'webhooks are applied in order, under a lease: it sleeps until the next row is due, and forgets nothing in a restart',
  },
  {
    where: ['server/features/upstream/chats.ts'],
    why: 'a page waits a moment for the product API; then what is known is shown',
  },
  {
    where: ['server/features/upstream/events/stream.ts'],
    why: 'one connection is kept open, under a lease: it is opened again after a gap, and one without a byte is given up',
  },
  {
    where: ['server/identity/api-calls/recorder.ts'],
    why: 'calls of a few seconds are written in one commit; what a process that dies had not written may be lost',
  },
  {
    where: ['server/identity/orgs/removal.ts'],
    why: 'rests between batches of a deletion so that others write in between',
  },
  { where: ['server/features/exports/downloads.ts'], why: 'breaks off a download that its reader has left open' },
  { where: ['server/web/assets.ts'], why: 'runs in the page: its scripts come once it is painted' },
  {
    where: ['server/platform/storage/s3-client.ts'],
    why: 'asks a storage again a moment later, while whoever asked waits',
  },
  { where: ['server/messaging/intake/pace.ts'], why: 'rests between slices of work so that requests come in between' },
  {
    where: ['server/messaging/intake/journal.ts'],
    why: 'a few milliseconds in which webhooks that come close together wait for one commit; whoever sent them waits too',
  },
  {
    where: [
      'server/messaging/search/indexing.ts',
      'server/features/stats/segments/updater.ts',
      'server/features/stats/cost/updater.ts',
    ],
    why: 'rests between slices so that others write in between',
  },
  { where: ['server/messaging/live/hub.ts', 'server/messaging/live/routes.ts'], why: 'heartbeats of open streams' },
  {
    where: ['server/messaging/live/short-lived.ts'],
    why: 'rows that pass go minutes later; the hourly chore has what a dead process left',
  },
  {
    where: ['server/messaging/outbox/spacing.ts'],
    why: 'lets a second pass that was full; nothing waits there that is not a row',
  },
  {
    where: ['server/platform/db/postgres/signals.ts'],
    why: 'a word from another process may be lost: whoever listens looks by itself each second',
  },
  {
    where: ['server/platform/db/sqlite/lock-waiting-driver.ts'],
    why: "waits for another process's lock, milliseconds",
  },
  { where: ['server/main.ts'], why: 'an end that hangs is cut off' },
  {
    where: ['server/platform/http/plugins/health.ts', 'server/web/render.ts', 'server/whatsapp/call-endings.ts'],
    why: 'an answer that does not come is given up',
  },
  {
    where: ['server/platform/http/plugins/idempotency.ts'],
    why: 'how a call ended is written again for half a minute; then its key counts as abandoned, by its row',
  },
  { where: ['server/simulator/faults/breakage.ts'], why: 'simulates a network that hangs' },
  { where: ['server/features/gateway/files.ts'], why: 'a program asks for a file a moment before it is fetched' },
  { where: ['client/'], why: "a browser's page has no rows; what must survive it is on the server" },
]

const chance: readonly FilePermit[] = [
  { where: ['server/platform/crypto/random.ts'], why: 'the only source' },
  { where: ['client/app/live.ts', 'client/app/queries.ts'], why: 'spreads tabs that come back at once' },
  {
    where: ['client/inbox/thread/thread-acts.ts', 'client/inbox/thread/bubble/forward-dialog.tsx'],
    why: 'the key that pairs a send with its message',
  },
  {
    where: ['client/inbox/composer/team-drafts.tsx'],
    why: 'which open page saved a draft, so that it need not ask for its own',
  },
  { where: ['client/simulator/new-customer.ts'], why: 'an invented customer' },
  { where: ['client/admin/sso-draft.ts'], why: 'the id of a provider stands in the form before it is saved' },
  { where: ['client/flows/editor/part-id.ts'], why: 'names of what is drawn before it is stored' },
  { where: ['client/templates/builder/form.ts'], why: 'keys of rows that are not stored yet, and of a try to send' },
  {
    where: [
      'client/templates/send-dialog.tsx',
      'client/bulk-sends/create/use-planned.ts',
      'client/bulk-sends/create/test-send.tsx',
    ],
    why: 'the key under which a template is sent once',
  },
  {
    where: ['client/scheduled-messages/form.tsx', 'client/inbox/kinds/compose-dialog.tsx'],
    why: 'the key under which a message is scheduled or sent once',
  },
]

const time: readonly FilePermit[] = [
  { where: ['server/platform/time/clock.ts'], why: 'the only source' },
  {
    where: ['server/platform/crypto/ids.ts'],
    why: 'ids sort by the time of birth; a clock held by a test would make two alike',
  },
  {
    where: [
      'client/app/hydration/early.ts',
      'client/app/live.ts',
      'client/public/api-reference.js',
      'client/inbox/composer/composer.tsx',
      'client/notifications/',
      'client/shell/tooltips.ts',
      'client/ui/text/moment.tsx',
    ],
    why: "how long something has been on this screen; the server's clock is not here",
  },
]

const vendorCodes: readonly FilePermit[] = [
  {
    where: ['shared/simulator/faults.ts', 'client/simulator/tools.tsx'],
    why: 'the simulator lets people choose which fault Meta answers',
  },
]

const atWork = 'the product at work: what it reads is stored, sent or deleted, and shown to nobody here'
const belongs = 'belongs to rows that were read with the condition'
const pastTime = 'rows that are past their time'
const begins = 'where statements begin; whoever goes on with them says for whom'

const unscoped: readonly ReadPermit[] = [
  {
    file: 'server/messaging/mirrored/mirrored-store.ts',
    names: ['selectMirrored'],
    why: 'findMirrored beside it asks for whom, and adds the condition of a viewer who sees a part',
  },
  {
    file: 'server/messaging/assignment/rule-store.ts',
    names: ['countOpen', 'listLastWriters', 'listWaiting'],
    why: atWork,
  },
  {
    file: 'server/features/exports/store.ts',
    names: ['listContacts', 'listTagsOf', 'listMessages', 'listFiles'],
    why: 'owners and administrators see all of the organization, and take all of it along',
  },
  {
    file: 'server/features/exports/archive/record-store.ts',
    names: ['listContacts', 'listTagsOf', 'listOtherIds', 'listConversations', 'listMessages', 'listReactions'],
    why: 'likewise',
  },
  { file: 'server/messaging/people/assignment-store.ts', names: ['listAssigned'], why: atWork },
  { file: 'server/messaging/templates/naming-store.ts', names: ['selectWaitingMessages'], why: atWork },
  { file: 'server/features/erasures/contact-store.ts', names: ['listQueued', 'listMessages'], why: atWork },
  { file: 'server/features/erasures/sweep-store.ts', names: ['findTheirMessages'], why: atWork },
  {
    file: 'server/features/bulk-sends/reports/report-store.ts',
    names: ['listRecipients', 'listBehind'],
    why: 'people of one send, which the service has looked for as its reader sees it; their names are part of its report',
  },
  {
    file: 'server/features/bulk-sends/audience/audience-store.ts',
    names: ['listTagged', 'findByPhone', 'findTagsOfContacts', 'findJustSent', 'countMarketing'],
    why: 'whom a role may send to is another right than what it sees, asked by rights.ts',
  },
  {
    file: 'server/features/bulk-sends/audience/segment-store.ts',
    names: ['findWindowEnd', 'listOfSegment'],
    why: 'whom a role may send to is another right than what it sees, asked by rights.ts',
  },
  {
    file: 'server/features/bulk-sends/sending/opened-store.ts',
    names: ['findInWindow'],
    why: 'of people a send goes to, whether they count against the limit of Meta',
  },
  { file: 'server/messaging/contacts/contact-store.ts', names: ['findContacts'], why: atWork },
  { file: 'server/messaging/contacts/outside-name-store.ts', names: ['findOutsideNames'], why: atWork },
  { file: 'server/messaging/contacts/importing/store.ts', names: ['findNotes', 'findPlaces'], why: atWork },
  {
    file: 'server/messaging/contacts/merging/record-store.ts',
    names: ['readWhole', 'insertMergeMessages'],
    why: 'of contacts whose chats were read with the condition, what moves with them',
  },
  { file: 'server/messaging/contacts/merging/parting-store.ts', names: ['findStatus'], why: atWork },
  { file: 'server/messaging/messages/delivery-store.ts', names: ['selectDelivery'], why: atWork },
  { file: 'server/messaging/conversations/list-row-store.ts', names: ['findRows'], why: atWork },
  {
    file: 'server/messaging/conversations/list-walk-store.ts',
    names: ['findRareTag'],
    why: 'which way a read begins that asks who sees',
  },
  { file: 'server/messaging/conversations/list-row-store.ts', names: ['selectShown', 'selectRows'], why: begins },
  { file: 'server/messaging/conversations/list-row-store.ts', names: ['findTags'], why: belongs },
  { file: 'server/messaging/contacts/contact-details-store.ts', names: ['findContactNote'], why: belongs },
  {
    file: 'server/messaging/contacts/contact-list-store.ts',
    names: ['findWindowStart'],
    why: 'an id that bounds the next contacts, which are then read with the condition',
  },
  {
    file: 'server/messaging/contacts/contact-sort-store.ts',
    names: ['selectByName', 'selectByActivity'],
    why: 'ids of the next contacts in an order, which are then read with the condition',
  },
  {
    file: 'server/messaging/contacts/segment-store.ts',
    names: ['meetsSegment'],
    why: 'a condition of queries that have their own',
  },
  { file: 'server/messaging/contacts/blocking-store.ts', names: ['findBlock'], why: belongs },
  { file: 'server/messaging/contacts/opt-out-store.ts', names: ['findOptOuts'], why: belongs },
  {
    file: 'server/messaging/contacts/merge-store.ts',
    names: ['mergeContacts', 'moveMessages', 'mergeFacts'],
    why: atWork,
  },
  { file: 'server/messaging/messages/message-change-store.ts', names: ['findTargets'], why: atWork },
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
    file: 'server/messaging/conversations/simulated-time-store.ts',
    names: ['findNewestSeq', 'listMessageTimes', 'listReactionTimes', 'listSimulatedTimes'],
    why: atWork,
  },
  {
    file: 'server/messaging/conversations/store.ts',
    names: ['findLastWriter'],
    why: 'whom to notify, who is then asked what they see',
  },
  {
    file: 'server/messaging/live/store.ts',
    names: ['afterQuery'],
    why: 'the feed of all; sight.ts asks for each reader',
  },
  {
    file: 'server/messaging/live/store.ts',
    names: ['oldestOf', 'deleteEventsBefore', 'deletePassingBefore'],
    why: atWork,
  },
  { file: 'server/messaging/actions/store.ts', names: ['findAction'], why: atWork },
  { file: 'server/messaging/sending/send-store.ts', names: ['hasOutbound', 'findOwnReaction'], why: belongs },
  { file: 'server/messaging/media/store.ts', names: ['findPending'], why: atWork },
  { file: 'server/messaging/media/uploads-store.ts', names: ['listUnsent', 'findSentMedia'], why: atWork },
  {
    file: 'server/messaging/conversations/list-walk-store.ts',
    names: ['slice'],
    why: 'the next of the list, of which findWanted takes those the viewer sees',
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
    why: 'numbers of messages, of which meantOf takes those the viewer sees',
  },
  {
    file: 'server/messaging/search/newest-store.ts',
    names: ['selectNewest'],
    why: 'numbers of messages, of which meantOf takes those the viewer sees',
  },
  { file: 'server/messaging/media/store.ts', names: ['findMediaOrganization'], why: 'whose it is and nothing of it' },
  {
    file: 'server/features/notifications/conversation-store.ts',
    names: ['unreadAbout'],
    why: 'people who see the conversation',
  },
  { file: 'server/features/notifications/store.ts', names: ['placeOf'], why: belongs },
  {
    file: 'server/features/notifications/store.ts',
    names: ['unreadAndAny'],
    why: 'puts the condition it is given: countUnread gives that of the reader',
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
    why: 'counts for who sees all; findInboxFor counts for others',
  },
  { file: 'server/messaging/outbox/attempt-store.ts', names: ['findAttempts', 'findBegun'], why: atWork },
  { file: 'server/messaging/outbox/store.ts', names: ['findSendRows', 'isStillWaiting'], why: atWork },
  {
    file: 'server/features/push/store.ts',
    names: ['findDeliveries'],
    why: 'who still sees it is asked when it leaves',
  },
  { file: 'server/messaging/tags/contact-store.ts', names: ['countTags'], why: belongs },
  { file: 'server/messaging/tags/contact-store.ts', names: ['listSome'], why: atWork },
  {
    file: 'server/messaging/tags/contact-store.ts',
    names: ['countContacts', 'countByTag'],
    why: 'asked by who manages people, and so sees all',
  },
  { file: 'server/identity/visibility/store.ts', names: ['factsById'], why: 'what the verdict is made from' },
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
    why: "who signs in, and how: mostly better-auth's, which knows no writes of ours; what organizations hear of it is said by its hooks",
  },
  {
    tables: ['audit_entry', 'site_audit_entry', 'api_call', 'idempotency'],
    why: 'what calls leave behind, whatever they did',
  },
  {
    tables: ['job', 'job_pace', 'job_worker', 'job_lease', 'event', 'org_counter'],
    why: 'how writes are told of and what they leave to do',
  },
  {
    tables: ['webhook_journal', 'webhook_place', 'untaken_item'],
    why: 'from before it is known whose it is and what it means',
  },
  {
    tables: ['message_attempt', 'received_file', 'uploaded_file', 'template_media', 'template_sync'],
    why: 'how work goes, which is shown by what becomes of it',
  },
  { tables: ['search_place', 'snapshot'], why: "the installation's own" },
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
    why: 'when a webhook came last, noted now and then',
  },
  {
    file: 'server/identity/orgs/removal-store.ts',
    names: ['hideOrganization', 'deleteOrganization'],
    why: 'an organization that goes as a whole, with everybody who could hear of it',
  },
]

const seesAll: readonly FilePermit[] = [
  {
    where: ['server/messaging/sending/first-message.ts', 'server/features/incoming-hooks/doing.ts'],
    why: 'a program that calls the address of a flow or a hook names a number, and nobody looks: of the conversation nothing is shown',
  },
  {
    where: ['server/messaging/mirrored/mirror.ts'],
    why: 'a message of another system is written into its row; who sees it is decided where it is read',
  },
  {
    where: ['server/messaging/live/sight.ts', 'server/features/push/push.ts'],
    why: 'who sees what is asked for many at once',
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
  unscoped,
  silentTables,
  silentWrites,
  seesAll,
} as const
