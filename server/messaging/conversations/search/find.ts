import type { Viewer } from '#server/identity/visibility/scope.ts'
import { findMessages } from '#server/messaging/search/message-search.ts'
import { narrowsMessages, parseSearch } from '#server/messaging/search/query.ts'
import { snippetOf } from '#server/messaging/search/snippet.ts'
import type { Db } from '#server/platform/db/database.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import type { FoundMessage, FoundPage } from '#shared/inbox/message-search.ts'
import { readTagsOfContacts } from '../rows/list-row-store.ts'
import { presentConversation } from '../shown/present.ts'
import { type FoundRow, findArrival, listConversationsById, listFoundMessages } from './found-store.ts'
import { asksMessages, findCalled, readNarrowing, type SearchSettings, searchedWords } from './search-narrowing.ts'

const pageSize = 30
const maxConversations = 10
/** Limit of conversations when the search consists of operators only. */
const maxNarrowed = 30

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

interface Search extends SearchSettings {
  readonly q: string
  readonly before?: string | undefined
  readonly conversationId?: string | undefined
}

const noMessages = { seqs: [], isPartial: false }

/**
 * A page of search results in all conversations or one, archived ones included. @throws InvalidInput when `before` is
 * not a message that exists. @see parseSearch for operators
 */
export async function searchEverywhere(db: Db, viewer: Viewer, query: Search): Promise<FoundPage> {
  const { q, conversationId } = query
  const before = query.before === undefined ? undefined : await findArrival(db, viewer, query.before)
  if (query.before !== undefined && before === undefined)
    throw new InvalidInput([{ field: 'query.before', code: 'invalid', params: {} }])
  const parsed = parseSearch(q)
  const narrowing = await readNarrowing(db, viewer, parsed, query)
  const words = searchedWords(parsed)
  const found =
    narrowing && asksMessages(parsed)
      ? await findMessages(db, viewer, { ...narrowing, conversationId, words, before, limit: pageSize + 1 })
      : noMessages
  const rows = await listFoundMessages(db, viewer, found.seqs.slice(0, pageSize))
  const asksConversations = before === undefined && conversationId === undefined && !narrowsMessages(parsed)
  const most = parsed.words ? maxConversations : maxNarrowed
  const called =
    narrowing && asksConversations ? await findCalled(db, viewer, parsed, narrowing, { ...query, most }) : []
  const known = new Set(called.map(row => row.id))
  const others = [...new Set(rows.map(row => row.conversation_id))].filter(id => !known.has(id))
  const shown = [...called, ...(await listConversationsById(db, viewer, others))]
  const tags = await readTagsOfContacts(
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
    hasMore: found.seqs.length > pageSize,
    ...(found.isPartial ? { partial: true } : {}),
    conversations: called.flatMap(row => conversations.get(row.id) ?? []),
  }
}
