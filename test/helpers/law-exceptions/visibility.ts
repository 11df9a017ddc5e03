import type { FileException, FunctionException } from './exception.ts'

/* Functions that read rows without a viewer's scope, and files that see every conversation. */

const atWork = 'background work: the rows are stored, sent or deleted, and returned to nobody'
const belongs = "reads more columns of rows that were selected with the scope's condition"
const begins = "returns the start of a query; the callers add the scope's condition"

export const unscoped: readonly FunctionException[] = [
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
  { file: 'server/messaging/templates/files/naming-store.ts', names: ['selectWaitingMessages'], why: atWork },
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
  { file: 'server/messaging/messages/delivery/store.ts', names: ['selectDelivery'], why: atWork },
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
  { file: 'server/messaging/directory/opt-out-store.ts', names: ['findStored'], why: belongs },
  {
    file: 'server/messaging/directory/merge-store.ts',
    names: ['mergeContacts', 'moveMessages', 'mergeFacts'],
    why: atWork,
  },
  { file: 'server/messaging/messages/changes/store.ts', names: ['findTargets'], why: atWork },
  { file: 'server/messaging/messages/changes/store.ts', names: ['findOwnReaction'], why: belongs },
  { file: 'server/messaging/messages/inbound/past-file-store.ts', names: ['findPlaceholders'], why: atWork },
  { file: 'server/messaging/messages/message-store.ts', names: ['findMessages'], why: atWork },
  {
    file: 'server/messaging/messages/history/old-message-store.ts',
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
    names: ['readOldest', 'deleteEventsBefore', 'deletePassingBefore'],
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
    names: ['listNewestSeqs'],
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
  { file: 'server/identity/orgs/removal/removal-store.ts', names: ['listInterruptedCreations'], why: atWork },
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

export const seesAll: readonly FileException[] = [
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
