import { useQueryClient } from '@tanstack/react-query'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { apiOf } from '#client/app/queries/queries.ts'
import { useContactTags, withTag } from '#client/tags/use-contact-tags.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { findConversation, placeConversation } from '../placing.ts'
import type { InboxT } from '../words.ts'

/** Tags of the chat's contact. Changes show in list, header and contact at once. */
export function useChatTags(org: string, conversation: Conversation, t: InboxT) {
  const client = useQueryClient()
  const api = apiOf(client)(org).inbox
  const failureText = useFailureText()
  const phone = addressOfConversation(conversation)
  const known = () => findConversation(client, org, phone) ?? conversation
  return useContactTags({
    stored: conversation.tags,
    show: tags => placeConversation(client, org, { ...known(), tags: [...tags] }),
    save: (tag, isOn) => {
      const params = { phone, tagId: tag.id }
      return (isOn ? api.tagChat({ params }) : api.untagChat({ params })).then(row =>
        placeConversation(client, org, row),
      )
    },
    refused: (error, tag, isOn) => {
      const row = known()
      placeConversation(client, org, { ...row, tags: withTag(row.tags, tag, !isOn) })
      toast(t('toast.failed', { reason: failureText(error) }), { kind: 'error' })
    },
  })
}
