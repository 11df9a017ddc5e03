import type { Viewer } from '#server/identity/visibility/scope.ts'
import { narrowsConversations, narrowsMessages, parseSearch, type SearchQuery } from '#server/messaging/search/query.ts'
import type { Db } from '#server/platform/db/database.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { findConversationsByContact } from '../search/contact-search.ts'
import { findMessages } from '../search/message-search.ts'
import { findConversationsByText } from '../search/search.ts'
import { isEnough } from '../search/words.ts'
import { listFoundMessages } from './found-store.ts'
import { asksMessages, findCalled, narrowingOf, searchedWords } from './search-narrowing.ts'

const maxFound = 500

interface Search {
  readonly search: string
  readonly archived: boolean
  readonly callingCode?: string | undefined
  /** The zone in which days begin; Argentina's unless given. */
  readonly timeZone?: string | undefined
  /** Of those that are called so, the first of the list are enough. */
  readonly first?: number | undefined
}

async function findNarrowed(db: Db, viewer: Viewer, parsed: SearchQuery, search: Search): Promise<string[]> {
  const { callingCode: home, timeZone = defaultTimeZone } = search
  const known = await narrowingOf(db, viewer, parsed, { home, timeZone })
  const narrowing = known && { ...known, archived: known.archived ?? search.archived }
  if (!narrowing) return []
  const { seqs } = asksMessages(parsed)
    ? await findMessages(db, viewer, { ...narrowing, words: searchedWords(parsed), limit: maxFound })
    : { seqs: [] }
  const called = narrowsMessages(parsed)
    ? []
    : await findCalled(db, viewer, { ...parsed, archived: narrowing.archived }, narrowing, { home, most: maxFound })
  const messages = await listFoundMessages(db, viewer, seqs)
  return [...new Set([...messages.map(row => row.conversation_id), ...called.map(row => row.id)])]
}

/**
 * Ids of conversations that fit: name, username, number in any spelling, whole or in part, and words of messages or
 * beginnings of words, all of them in one message; accents and case count nowhere. A number without its country is also
 * read as one of `callingCode`. Some three thousand at most, in no order; with operators, those of the newest five
 * hundred messages that are meant.
 * @see parseSearch for operators
 */
export async function findConversationIds(db: Db, viewer: Viewer, query: Search): Promise<string[]> {
  const { archived, callingCode, first = maxFound } = query
  const parsed = parseSearch(query.search)
  if (narrowsMessages(parsed) || narrowsConversations(parsed) || parsed.without.length)
    return findNarrowed(db, viewer, parsed, query)
  const most = { limit: Math.min(first, maxFound), mostOfAll: maxFound }
  const byContact = { typed: parsed.words, home: callingCode, archived, ...most }
  const found = [
    ...(await findConversationsByContact(db, viewer, byContact)),
    ...(isEnough(parsed.words) ? await findConversationsByText(db, viewer, parsed.words) : []),
  ]
  return [...new Set(found)]
}
