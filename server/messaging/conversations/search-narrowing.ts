import type { Viewer } from '#server/identity/visibility/scope.ts'
import { narrowsConversations, narrowsMessages, type SearchQuery } from '#server/messaging/search/query.ts'
import type { Db } from '#server/platform/db/database.ts'
import { fold } from '#shared/kernel/fold.ts'
import { startOfDay } from '#shared/kernel/time.ts'
import { findConversationsByContact } from '../search/contact-search.ts'
import type { Narrowing } from '../search/narrowing.ts'
import { hasWords, isEnough, wordsOf } from '../search/words.ts'
import { listConversationsById, listTagLabels } from './found-store.ts'
import type { ShownRow } from './list-row-store.ts'
import { listNarrowed } from './list-walk-store.ts'

/** Contacts a name of an operator stands for. */
const mostCustomers = 500

/** How what was typed is understood. */
export interface Reader {
  /** Calling code of the country people leave out. */
  readonly home?: string | undefined
  /** The zone in which days begin. */
  readonly timeZone: string
}

/** The words messages must have; too few letters stand for too much. */
export const searchedWords = ({ words }: SearchQuery): string[] => (isEnough(words) ? wordsOf(words) : [])

/** The words that must not be there. */
const withoutOf = ({ without }: SearchQuery): string[] => without.flatMap(wordsOf)

const isCalled = ({ name, profile_name, username }: ShownRow, word: string): boolean =>
  hasWords([name, profile_name, username].join(' '), [word])

/** Words that are none, or too short, leave only who is called so. */
export const asksMessages = (parsed: SearchQuery): boolean =>
  searchedWords(parsed).length > 0 || (!parsed.words && narrowsMessages(parsed))

/** Each label, or its beginning, as a tag; undefined when one of them is no tag's. */
async function tagIdsOf(db: Db, orgId: string, labels: readonly string[]): Promise<string[] | undefined> {
  if (!labels.length) return []
  const tags = (await listTagLabels(db, orgId)).map(({ id, label }) => ({ id, label: fold(label) }))
  const ids: string[] = []
  for (const typed of labels.map(fold)) {
    const tag = tags.find(({ label }) => label === typed) ?? tags.find(({ label }) => label.startsWith(typed))
    if (!tag) return undefined
    ids.push(tag.id)
  }
  return ids
}

const fromCustomers = async (db: Db, viewer: Viewer, { from }: SearchQuery, home: string | undefined) => {
  if (!from.length) return undefined
  const ids: string[] = []
  for (const typed of from)
    ids.push(...(await findConversationsByContact(db, viewer, { typed, home, limit: mostCustomers })))
  return [...new Set(ids)]
}

/** What operators narrow the messages to; undefined: to none. */
export async function narrowingOf(
  db: Db,
  viewer: Viewer,
  parsed: SearchQuery,
  { home, timeZone }: Reader,
): Promise<Narrowing | undefined> {
  const tagIds = await tagIdsOf(db, viewer.orgId, parsed.tags)
  if (!tagIds) return undefined
  const { types, statuses, archived, agents, before, after } = parsed
  return {
    fromCustomersOf: await fromCustomers(db, viewer, parsed, home),
    tagIds,
    types,
    statuses,
    archived,
    agents,
    withoutWords: withoutOf(parsed),
    since: after && startOfDay(after, timeZone, 1),
    until: before && startOfDay(before, timeZone),
  }
}

/** Conversations that are called so; those that operators ask for, where nothing else was typed. */
export async function findCalled(
  db: Db,
  viewer: Viewer,
  parsed: SearchQuery,
  { tagIds = [] }: Narrowing,
  { home, most }: Pick<Reader, 'home'> & { readonly most: number },
): Promise<ShownRow[]> {
  const { words, archived } = parsed
  const narrowed = narrowsConversations(parsed)
  const without = withoutOf(parsed)
  const keep = (rows: readonly ShownRow[]) =>
    rows.filter(row => !without.some(word => isCalled(row, word))).slice(0, most)
  if (!words) {
    if (!narrowed) return []
    const range = { limit: most, offset: 0 }
    const rows: ShownRow[] = []
    for (const isArchived of archived === undefined ? [false, true] : [archived])
      rows.push(...(await listNarrowed(db, viewer, { archived: isArchived, tags: tagIds }, range)))
    return keep(rows)
  }
  const limit = narrowed || without.length ? mostCustomers : most
  const ids = await findConversationsByContact(db, viewer, { typed: words, home, archived, limit })
  return keep(await listConversationsById(db, viewer, ids, tagIds))
}
