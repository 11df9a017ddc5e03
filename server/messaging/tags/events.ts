import type { OfConversation } from '#server/messaging/events.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'

/** What happens to tags, and to the contacts that carry them. */
export interface TagEvents {
  'tag.created': { tagId: string; label: string }
  /** It has another label or colour; `before` is the label it had. */
  'tag.changed': { tagId: string; label: string; before: string }
  /** Its contacts carry another one instead. `roles`: those that had the content of either. */
  'tag.merged': { tagId: string; label: string; into: { id: string; label: string }; roles: readonly OrgRole[] }
  /** `roles`: those that had its content. */
  'tag.deleted': { tagId: string; label: string; roles: readonly OrgRole[] }
  /** A tag was put on a contact, in the conversation that is named; `conversation.changed` comes beside it for each of theirs. */
  'contact.tagged': OfConversation & { tagId: string; label: string }
  'contact.untagged': OfConversation & { tagId: string; label: string }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends TagEvents {}
}
