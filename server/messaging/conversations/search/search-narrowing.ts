import type { Viewer } from '#server/identity/visibility/scope.ts'
import { findConversationsByContact } from '#server/messaging/search/contact-search.ts'
import type { Narrowing } from '#server/messaging/search/narrowing.ts'
import { narrowsConversations, narrowsMessages, type SearchQuery } from '#server/messaging/search/query.ts'
import { hasWords, isEnough, searchWords } from '#server/messaging/search/words.ts'
import type { Db } from '#server/platform/db/database.ts'
import { fold } from '#shared/kernel/fold.ts'
import { startOfDay } from '#shared/kernel/time.ts'
import { listNarrowed } from '../list/list-walk-store.ts'
import type { ShownRow } from '../rows/list-row-store.ts'
import { listConversationsById, listTagLabels } from './found-store.ts'

/** Contacts that a name in an operator matches at most. */
const maxCustomers = 500

/** Settings that decide what the typed numbers and days mean. */
export interface SearchSettings {
  /** Calling code of the country that people omit. */
  readonly home?: string | undefined
  /** The time zone in which days begin. */
  readonly timeZone: string
}

/** The words messages must have. Empty when there are too few letters. */
export const searchedWords = ({ words }: SearchQuery): string[] => (isEnough(words) ? searchWords(words) : [])

/** The words messages must not have. */
const withoutOf = ({ without }: SearchQuery): string[] => without.flatMap(searchWords)

const isCalled = ({ name, profile_name, username }: ShownRow, word: string): boolean =>
  hasWords([name, profile_name, username].join(' '), [word])

/** With words that are too short, only names are searched. */
export const asksMessages = (parsed: SearchQuery): boolean =>
  searchedWords(parsed).length > 0 || (!parsed.words && narrowsMessages(parsed))

/** Tags by label or its beginning. Undefined: a label matches no tag. */
async function findTagIds(db: Db, orgId: string, labels: readonly string[]): Promise<string[] | undefined> {
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
    ids.push(...(await findConversationsByContact(db, viewer, { typed, home, limit: maxCustomers })))
  return [...new Set(ids)]
}

/** Conditions on messages from the operators. Undefined: no message can match. */
export async function readNarrowing(
  db: Db,
  viewer: Viewer,
  parsed: SearchQuery,
  { home, timeZone }: SearchSettings,
): Promise<Narrowing | undefined> {
  const tagIds = await findTagIds(db, viewer.orgId, parsed.tags)
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

/** Conversations whose contact matches by name. With operators only: those that match the operators. */
export async function findCalled(
  db: Db,
  viewer: Viewer,
  parsed: SearchQuery,
  { tagIds = [] }: Narrowing,
  { home, most }: Pick<SearchSettings, 'home'> & { readonly most: number },
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
    const opened = [{ archived: false }, { archived: false, isSnoozed: true }]
    const lists = archived === undefined ? [...opened, { archived: true }] : archived ? [{ archived }] : opened
    for (const list of lists) rows.push(...(await listNarrowed(db, viewer, { ...list, tags: tagIds }, range)))
    return keep(rows)
  }
  const limit = narrowed || without.length ? maxCustomers : most
  const ids = await findConversationsByContact(db, viewer, { typed: words, home, archived, limit })
  return keep(await listConversationsById(db, viewer, ids, tagIds))
}
