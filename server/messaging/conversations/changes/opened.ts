import type { OrgWrite } from '#server/platform/events/write.ts'
import type { ListRow } from '../rows/list-row-store.ts'
import { conversationRef, nameOf, presentConversation } from '../shown/present.ts'

export interface Opened {
  readonly row: ListRow
  readonly contact: { readonly id: string; readonly isNew: boolean }
}

/** Emits `conversation.opened` for new conversations, and `contact.created` for contacts that are new as well. */
export function emitOpened({ emit }: Pick<OrgWrite, 'emit'>, opened: readonly Opened[]): void {
  const created = new Set<string>()
  for (const { row, contact } of opened) {
    if (contact.isNew && !created.has(contact.id)) {
      created.add(contact.id)
      emit({ type: 'contact.created', data: { ...conversationRef(row), name: nameOf(row) } })
    }
    emit({ type: 'conversation.opened', data: { ...conversationRef(row), conversation: presentConversation(row) } })
  }
}
