import { type FoundMessage, type FoundPage, searchTextMinChars } from '#shared/inbox.ts'
import type { Db } from '../../db.ts'
import { findConversationsByContact } from '../../search/contact-search.ts'
import { findMessagesByText } from '../../search/message-search.ts'
import { snippetOf } from '../../search/snippet.ts'
import { wordsOf } from '../../search/words.ts'
import { InvalidInput } from '../../validate.ts'
import type { Viewer } from '../../visibility/scope.ts'
import { presentConversation } from '../present.ts'
import { type FoundRow, findArrival, listConversationsById, listFoundMessages } from './found-store.ts'
import { tagsOf } from './list-row.ts'

const pageSize = 30
const mostConversations = 10

const nameAndText = ({ text, media_name: name }: FoundRow): string =>
  name && name !== text ? [text, name].filter(Boolean).join(' · ') : text

const presentFound = (row: FoundRow, words: readonly string[]): Omit<FoundMessage, 'conversation'> => ({
  id: row.id,
  direction: row.direction as FoundMessage['direction'],
  type: row.type as FoundMessage['type'],
  at: row.at,
  ...(row.author_kind
    ? { author: { kind: row.author_kind as NonNullable<FoundMessage['author']>['kind'], name: row.author_name } }
    : {}),
  snippet: snippetOf(nameAndText(row), words),
})

/**
 * A page of what a search finds in all conversations, or in one; archived ones, too.
 * @throws InvalidInput when the page is to begin behind a message that is not there.
 */
export async function findEverywhere(
  db: Db,
  viewer: Viewer,
  query: { q: string; before?: string | undefined; conversationId?: string | undefined; home?: string | undefined },
): Promise<FoundPage> {
  const { q, conversationId, home } = query
  const before = query.before === undefined ? undefined : await findArrival(db, viewer, query.before)
  if (query.before !== undefined && before === undefined)
    throw new InvalidInput([{ field: 'query.before', code: 'invalid', params: {} }])
  const words = q.trim().length < searchTextMinChars ? [] : wordsOf(q)
  const found = await findMessagesByText(db, viewer, { words, before, conversationId, limit: pageSize + 1 })
  const rows = await listFoundMessages(db, viewer, found.slice(0, pageSize))
  const isFirst = before === undefined && conversationId === undefined
  const called = isFirst
    ? await findConversationsByContact(db, viewer, { typed: q, home, limit: mostConversations })
    : []
  const shown = await listConversationsById(db, viewer, [
    ...new Set([...called, ...rows.map(row => row.conversation_id)]),
  ])
  const tags = await tagsOf(
    db,
    viewer.orgId,
    shown.map(row => row.contact_id),
  )
  const conversations = new Map(shown.map(row => [row.id, presentConversation(row, tags.get(row.contact_id))]))
  return {
    items: rows.flatMap(row => {
      const conversation = conversations.get(row.conversation_id)
      return conversation ? [{ ...presentFound(row, words), conversation }] : []
    }),
    page: 1,
    pageSize,
    hasMore: found.length > pageSize,
    conversations: called.flatMap(id => conversations.get(id) ?? []),
  }
}
