import type { ListedContact, MatchingContact } from '#shared/contacts/api.ts'

/** A selected contact: one of a loaded row, or one that matches the filters and is not loaded. */
export type Picked = MatchingContact & { readonly name?: string }

export const pickedOf = ({ id, conversation }: ListedContact): Picked => ({
  id,
  conversationId: conversation.id,
  phone: conversation.displayPhone ? conversation.phone : '',
  optedOut: Boolean(conversation.optOut),
  tagIds: conversation.tags.map(tag => tag.id),
  name: conversation.name,
})
