import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import type { Db } from '#server/platform/db/database.ts'
import {
  countNumbers,
  type FoundConversation,
  findByNumbers,
  findInStretch,
  findNewest,
  findNumbers,
  goesOn,
  numberBehind,
} from './contact-index-store.ts'
import { type Needle, needlesOf } from './contact-terms.ts'
import { findOrgKey } from './index-store.ts'

/** What so many contacts have, or fewer, is found whole. */
const fewContacts = 2_000
/** What fewer have is found sooner by itself than among those that were active last. */
const someContacts = 200
/** What more have is looked for among so many that were active last, half of them archived. */
const latest = 2_000

interface ContactSearch {
  readonly typed: string
  /** Calling code of the country people leave out; Argentina's unless given. */
  readonly home?: string | undefined
  /** Undefined: archived or not. */
  readonly archived?: boolean | undefined
  readonly limit: number
  /** Where more of it is asked for afterwards: how far in all. */
  readonly mostOfAll?: number
}

/** Of contacts, so many are looked at by what they are called: those who see few of them need more of a look. */
const howMany = ({ isMany, seesEvery, left }: { isMany: boolean; seesEvery: boolean; left: number }): number => {
  if (!isMany) return fewContacts
  return seesEvery ? left : Math.max(left, latest / 2)
}

interface Walk {
  readonly archived: boolean
  /** So many are enough. */
  readonly limit: number
  /** So many are looked at. */
  readonly most: number
  /** What was active before it is not asked for. */
  readonly since?: string | undefined
}

/** Of those that were active last; `isWhole`: whatever was not looked at was active before all that is asked for. */
async function walkLatest(
  db: Db,
  viewer: Viewer,
  needles: readonly Needle[],
  { archived, limit, most, since }: Walk,
): Promise<{ readonly found: readonly FoundConversation[]; readonly isWhole: boolean }> {
  const stretch = { archived, since, count: most }
  const found = await findInStretch(db, viewer, needles, { ...stretch, limit })
  return { found, isWhole: found.length >= limit || !(await goesOn(db, viewer.orgId, stretch)) }
}

const inOrder = (found: Iterable<FoundConversation>): FoundConversation[] =>
  [...found].sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1))

/** Of open and archived ones together; `isWhole`: those are the first of all, and there are `limit` of them or no more. */
async function findAmongLatest(
  db: Db,
  viewer: Viewer,
  needles: readonly Needle[],
  { archived, limit }: Pick<ContactSearch, 'archived' | 'limit'>,
) {
  if (archived !== undefined) return walkLatest(db, viewer, needles, { archived, limit, most: latest })
  const most = latest / 2
  const first = await walkLatest(db, viewer, needles, { archived: false, limit, most })
  await nextTurn()
  const since = first.found[limit - 1]?.at
  const others = await walkLatest(db, viewer, needles, { archived: true, limit, most, since })
  return { found: [...first.found, ...others.found], isWhole: first.isWhole && others.isWhole }
}

/**
 * Conversations with whom is meant by name, username or number: every word, or its beginning, and any part of the number
 * in any spelling; accents and case do not count. Last active first, at most `limit`; where it means more than two
 * thousand contacts, those among a thousand or two that were active last, and then some of the others. Empty where nothing of it
 * is a word.
 */
export async function findConversationsByContact(
  db: Db,
  viewer: Viewer,
  { typed, home, archived, limit, mostOfAll = limit }: ContactSearch,
): Promise<string[]> {
  const needles = needlesOf(typed, home)
  const orgKey = needles.length ? await findOrgKey(db, viewer.orgId) : undefined
  if (orgKey === undefined) return []
  const some = Math.max(someContacts, limit)
  const first = await findNumbers(db, orgKey, needles, some + 1)
  const byNumbers = (numbers: readonly number[]) => findByNumbers(db, viewer, numbers, { archived, limit })
  const idsOf = (found: Iterable<FoundConversation>) =>
    inOrder(found)
      .slice(0, limit)
      .map(({ id }) => id)
  if (first.length <= some) return first.length ? idsOf(await byNumbers(first)) : []
  const { found, isWhole } = await findAmongLatest(db, viewer, needles, { archived, limit })
  if (isWhole) return idsOf(found)
  await nextTurn()
  const seesEvery = viewer.scope.kind === 'all'
  const isMany = (await countNumbers(db, orgKey, needles, fewContacts + 1)) > fewContacts
  const mostContacts = howMany({ isMany, seesEvery, left: mostOfAll - found.length })
  const others = mostContacts > 0 ? await byNumbers(await findNumbers(db, orgKey, needles, mostContacts)) : []
  return idsOf(new Map([...found, ...others].map(one => [one.id, one])).values())
}

interface ContactPage extends Pick<ContactSearch, 'typed' | 'home' | 'limit'> {
  /** The contact before the first one. */
  readonly after?: string | undefined
}

/**
 * Contacts that are called so, as for conversations: the newest first, all of them page by page. Whoever sees which of them is
 * to be asked.
 */
export async function findContacts(
  db: Db,
  orgId: string,
  { typed, home, after, limit }: ContactPage,
): Promise<string[]> {
  const needles = needlesOf(typed, home)
  const orgKey = needles.length ? await findOrgKey(db, orgId) : undefined
  if (orgKey === undefined) return []
  const before = after === undefined ? Number.MAX_SAFE_INTEGER : await numberBehind(db, after)
  return findNewest(db, orgKey, needles, { before, most: limit })
}
