import { api } from '#shared/api.ts'
import type { EndpointShape } from '#shared/kernel/contract.ts'

/** A tool stands for one call of the API. Its arguments, its answer and who may use it come from the contract. */
export interface Tool {
  readonly name: string
  readonly endpoint: EndpointShape
}

const toolsOf = (endpoints: Readonly<Record<string, EndpointShape>>): readonly Tool[] =>
  Object.entries(endpoints).map(([name, endpoint]) => ({ name, endpoint }))

/** Programs know the tools by these names. */
export const tools: readonly Tool[] = toolsOf({
  conversations_find: api.inbox.listConversations,
  conversations_read: api.inbox.listMessages,
  messages_search: api.inbox.searchMessages,
  messages_send: api.inbox.sendMessage,
  messages_draft: api.drafts.proposeDraft,
  notes_add: api.notes.addNote,
  notes_list: api.notes.listNotes,
  tags_list: api.tags.listTags,
  tags_set: api.inbox.tagChat,
  tags_remove: api.inbox.untagChat,
  people_list: api.notes.listMentionable,
  conversations_assign: api.inbox.assignChat,
  conversations_snooze: api.snoozes.snoozeChat,
  contacts_find: api.contacts.listContacts,
  contacts_read: api.contacts.getContact,
  templates_list: api.templates.list,
  flows_list: api.flows.listNames,
  flows_start: api.flows.start,
  stats_summary: api.stats.getSummary,
  window_get: api.inbox.getConversation,
})
