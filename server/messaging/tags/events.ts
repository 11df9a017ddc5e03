import type { OfConversation } from '#server/messaging/events.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'

/** Events of tags and of the contacts that have them. */
interface TagEvents {
  'tag.created': { tagId: string; label: string }
  /** Its label or colour changed. `before`: the previous label. */
  'tag.changed': { tagId: string; label: string; before: string }
  /** Its contacts have another tag instead. `roles`: those that could see the content of either. */
  'tag.merged': { tagId: string; label: string; into: { id: string; label: string }; roles: readonly OrgRole[] }
  /** `roles`: those that could see its content. */
  'tag.deleted': { tagId: string; label: string; roles: readonly OrgRole[] }
  /**
   * A tag was added to a contact, in the named conversation. `conversation.changed` follows for each of their
   * conversations.
   */
  'contact.tagged': OfConversation & { tagId: string; label: string }
  'contact.untagged': OfConversation & { tagId: string; label: string }
}

declare module '#server/platform/events/domain.ts' {
  interface DomainEvents extends TagEvents {}
}
