import type { Static } from 'typebox'
import type { Conversation } from '#shared/inbox/conversations.ts'
import type { Message, MessagePage } from '#shared/inbox/messages.ts'

/** Names are chosen by outsiders, too: none of them may begin a line of its own. */
const inLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** So that no text of a message looks like a line of ours. */
const quoted = (text: string): string => text.replace(/^/gm, '> ')

const authorOf = ({ direction, author, type }: Message, customer: string): string => {
  const who = direction === 'in' ? customer : (author?.name ?? author?.kind ?? 'us')
  return type === 'note' ? `${who}, private note` : who
}

const messageText = (message: Message, customer: string): string => {
  const { at, type, text, media, status } = message
  const kind =
    type === 'text' || type === 'note' ? '' : ` [${type}${media ? `: ${inLine(media.name ?? media.mime)}` : ''}]`
  const outcome = status === 'failed' ? ' (not sent)' : ''
  return [`${at} ${inLine(authorOf(message, customer))}${kind}${outcome}`, ...(text ? [quoted(text)] : [])].join('\n')
}

/** A conversation as plain text: who it is, how it stands, and a page of its messages, oldest first. */
export const conversationText = (conversation: Conversation, page: Static<typeof MessagePage>): string => {
  const { name, displayPhone, windowClosesAt, assignee, team, tags, control, snoozedUntil, archived } = conversation
  const holder = [assignee?.name, team?.name].flatMap(one => (one ? [inLine(one)] : [])).join(', ') || 'nobody'
  const labels = tags.map(({ label }) => inLine(label)).join(', ')
  return [
    `Customer: ${inLine(name)}${displayPhone && displayPhone !== name ? ` (${displayPhone})` : ''}`,
    `Window for free text: ${windowClosesAt === null ? 'closed, only templates can be sent' : `until ${windowClosesAt}`}`,
    `Assigned to: ${holder}. Control: ${control}.${labels ? ` Tags: ${labels}.` : ''}`,
    ...(snoozedUntil ? [`Snoozed until ${snoozedUntil}.`] : []),
    ...(archived ? ['Archived.'] : []),
    ...(page.hasMore ? ['There are older messages: page 2 of the tool conversations_read.'] : []),
    '',
    ...page.items.map(message => messageText(message, name)),
  ].join('\n')
}
