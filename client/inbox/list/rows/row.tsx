import { memo } from 'react'
import { createKeptHtml } from '#client/ui/text/kept-html.ts'
import { useMarkup } from '#client/ui/text/markup.tsx'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { paths } from '#shared/kernel/paths.ts'
import { type RowDrafts, type RowReader, rowHtml } from './row-html.ts'

export interface RowProps extends RowReader, RowDrafts {
  conversation: Conversation
  slug: string
  /** The list's filters for the link, so that a chat opens beside the same list. */
  filter: string
  selected: boolean
  /** Selected for an action on several. */
  picked?: boolean
}

/** Id of the description of selected rows for screen readers. */
export const pickedWordId = 'row-picked'

const keep = createKeptHtml<Conversation>()

const keptRowHtml = (conversation: Conversation, drafts: RowDrafts, reader: RowReader) => {
  const { now, timeZone, t, userId, numbers } = reader
  const { draft, drafting } = drafts
  return keep(conversation, [draft, drafting, now, timeZone, t, userId, numbers], () =>
    rowHtml(conversation, drafts, reader),
  )
}

/** One conversation of the list. A plain link: the surrounding list handles clicks. */
export const Row = memo(({ conversation, slug, filter, selected, draft, drafting, picked, ...reader }: RowProps) => {
  return (
    <a
      href={paths.chat(slug, addressOfConversation(conversation)) + filter}
      className={conversation.unread ? 'row row-unread' : 'row'}
      aria-current={selected ? 'true' : undefined}
      data-id={conversation.id}
      data-picked={picked || undefined}
      aria-describedby={picked ? pickedWordId : undefined}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
      dangerouslySetInnerHTML={useMarkup(keptRowHtml(conversation, { draft, drafting }, reader))}
    />
  )
})
