import { memo } from 'react'
import { createKeptHtml } from '#client/ui/kept-html.ts'
import { useMarkup } from '#client/ui/markup.tsx'
import { addressOfConversation } from '#shared/chat-address.ts'
import type { Conversation } from '#shared/inbox.ts'
import { paths } from '#shared/paths.ts'
import { type RowReader, rowHtml } from './row-html.ts'

export interface RowProps extends RowReader {
  conversation: Conversation
  slug: string
  /** What the list shows, as the address says it: a chat opens beside the same list. */
  filter: string
  selected: boolean
  draft: string | undefined
}

const keep = createKeptHtml<Conversation>()
const minuteMs = 60_000

/** As `rowHtml`; times are told by the minute, so within one the markup stays what it is. */
const keptRowHtml = (conversation: Conversation, draft: string | undefined, reader: RowReader) => {
  const now = Math.floor(reader.now / minuteMs) * minuteMs
  const { timeZone, t, userId, numbers } = reader
  return keep(conversation, [draft, now, timeZone, t, userId, numbers], () =>
    rowHtml(conversation, draft, { ...reader, now }),
  )
}

/** One conversation of the list. A plain link: the list around it takes the presses. */
export const Row = memo(({ conversation, slug, filter, selected, draft, ...reader }: RowProps) => {
  return (
    <a
      href={paths.chat(slug, addressOfConversation(conversation)) + filter}
      className={conversation.unread ? 'row row-unread' : 'row'}
      aria-current={selected ? 'true' : undefined}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
      dangerouslySetInnerHTML={useMarkup(keptRowHtml(conversation, draft, reader))}
    />
  )
})
