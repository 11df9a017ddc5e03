import { searchTextMinChars } from '#shared/inbox.ts'
import type { Db } from '../../db.ts'
import { findConversationsByContact } from '../../search/contact-search.ts'
import { findConversationsByText } from '../../search/search.ts'
import type { Viewer } from '../../visibility/scope.ts'

const maxFound = 500

/**
 * Ids of conversations that fit: name, username, number in any spelling, whole or in part, and words of messages or
 * beginnings of words, all of them in one message; accents and case count nowhere. A number without its country is also
 * read as one of `callingCode`. Some three thousand at most, in no order.
 */
export async function findConversationIds(
  db: Db,
  viewer: Viewer,
  { search, archived, callingCode }: { search: string; archived: boolean; callingCode?: string | undefined },
): Promise<string[]> {
  const byContact = { typed: search, home: callingCode, archived, limit: maxFound }
  const found = [
    ...(await findConversationsByContact(db, viewer, byContact)),
    ...(search.trim().length >= searchTextMinChars ? await findConversationsByText(db, viewer, search) : []),
  ]
  return [...new Set(found)]
}
