import type { Viewer } from '#server/identity/visibility/scope.ts'
import { findConversationsByContact } from '#server/messaging/search/contact-search.ts'
import { findMessages } from '#server/messaging/search/message-search.ts'
import { narrowsConversations, narrowsMessages, parseSearch, type SearchQuery } from '#server/messaging/search/query.ts'
import { findConversationsByText } from '#server/messaging/search/search.ts'
import { isEnough } from '#server/messaging/search/words.ts'
import type { Db } from '#server/platform/db/database.ts'
import { defaultTimeZone } from '#shared/kernel/time.ts'
import { listFoundMessages } from './found-store.ts'
import { asksMessages, findCalled, readNarrowing, searchedWords } from './search-narrowing.ts'

const maxFound = 500

interface Search {
  readonly search: string
  readonly archived: boolean
  readonly callingCode?: string | undefined
  /** The time zone in which days begin; default: Argentina's. */
  readonly timeZone?: string | undefined
  /** Matches by name that are enough. */
  readonly first?: number | undefined
}

async function findNarrowed(db: Db, viewer: Viewer, parsed: SearchQuery, search: Search): Promise<string[]> {
  const { callingCode: home, timeZone = defaultTimeZone } = search
  const known = await readNarrowing(db, viewer, parsed, { home, timeZone })
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
 * Ids of conversations that match: name, username or number in any spelling, whole or in part, and words of messages or
 * their beginnings, all in one message, ignoring accents and case. A number without a country is also read with
 * `callingCode`. At most about 3,000, in no order. With operators: those of the newest 500 matching messages. @see
 * parseSearch for operators
 */
export async function findConversationIds(db: Db, viewer: Viewer, query: Search): Promise<string[]> {
  const { archived, callingCode, first = maxFound } = query
  const parsed = parseSearch(query.search)
  if (narrowsMessages(parsed) || narrowsConversations(parsed) || parsed.without.length)
    return findNarrowed(db, viewer, parsed, query)
  const most = { limit: Math.min(first, maxFound), maxOfAll: maxFound }
  const byContact = { typed: parsed.words, home: callingCode, archived, ...most }
  const found = [
    ...(await findConversationsByContact(db, viewer, byContact)),
    ...(isEnough(parsed.words) ? await findConversationsByText(db, viewer, parsed.words) : []),
  ]
  return [...new Set(found)]
}
