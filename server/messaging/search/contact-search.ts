import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Viewer } from '#server/identity/visibility/scope.ts'
import { archiveStates } from '#server/messaging/archive-states.ts'
import type { Db } from '#server/platform/db/database.ts'
import {
  countNumbers,
  type FoundConversation,
  findByNumbers,
  findInStretch,
  findNewest,
  findNumbers,
  hasMoreAfter,
  numberBehind,
} from './contact-index-store.ts'
import { type Needle, needlesOf } from './contact-terms.ts'
import { findOrgKey } from './index-store.ts'

/** Up to this many matching contacts, all are read. */
const fewContacts = 2_000
/** With fewer matching contacts, the index is faster than going through the latest conversations. */
const someContacts = 200
/** With more, only this many of the latest conversations are looked at, half of them archived. */
const latest = 2_000

interface ContactSearch {
  readonly typed: string
  /** Calling code of the country that people omit; default: Argentina's. */
  readonly home?: string | undefined
  /** Undefined: archived or not. */
  readonly archived?: boolean | undefined
  readonly limit: number
  /** If later pages are requested too: the total to reach. */
  readonly maxOfAll?: number
}

/** The number of contacts to read. Members who see few conversations need more. */
const howMany = ({ isMany, seesEvery, left }: { isMany: boolean; seesEvery: boolean; left: number }): number => {
  if (!isMany) return fewContacts
  return seesEvery ? left : Math.max(left, latest / 2)
}

interface Walk {
  /** The value of `conversation.archived`. */
  readonly archived: number
  /** Stop after this many matches. */
  readonly limit: number
  /** Look at this many at most. */
  readonly most: number
  /** Earlier activity is not wanted. */
  readonly since?: string | undefined
}

/** Matches among the latest conversations. `isWhole`: everything else was active earlier than all that is wanted. */
async function walkLatest(
  db: Db,
  viewer: Viewer,
  needles: readonly Needle[],
  { archived, limit, most, since }: Walk,
): Promise<{ readonly found: readonly FoundConversation[]; readonly isWhole: boolean }> {
  const stretch = { archived, since, count: most }
  const found = await findInStretch(db, viewer, needles, { ...stretch, limit })
  return { found, isWhole: found.length >= limit || !(await hasMoreAfter(db, viewer.orgId, stretch)) }
}

const inOrder = (found: Iterable<FoundConversation>): FoundConversation[] =>
  [...found].sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1))

/** Open, snoozed and archived ones together. `isWhole`: these are the first of all, and `limit` or fewer exist. */
async function findAmongLatest(
  db: Db,
  viewer: Viewer,
  needles: readonly Needle[],
  { archived, limit }: Pick<ContactSearch, 'archived' | 'limit'>,
) {
  const opened = [archiveStates.open, archiveStates.snoozed]
  const states =
    archived === undefined ? [...opened, archiveStates.archived] : archived ? [archiveStates.archived] : opened
  const most = archived === undefined ? latest / 2 : latest
  const found: FoundConversation[] = []
  let isWhole = true
  for (const state of states) {
    if (found.length) await nextTurn()
    const since = found[limit - 1]?.at
    const walked = await walkLatest(db, viewer, needles, { archived: state, limit, most, since })
    found.push(...walked.found)
    isWhole &&= walked.isWhole
  }
  return { found, isWhole }
}

/**
 * Conversations whose contact matches by name, username or number: every word or its beginning, and any part of the
 * number in any spelling, ignoring accents and case. Latest activity first, at most `limit`. If more than 2,000
 * contacts match: those among the 1,000 or 2,000 latest conversations, then some of the others. Empty when the text has
 * no word.
 */
export async function findConversationsByContact(
  db: Db,
  viewer: Viewer,
  { typed, home, archived, limit, maxOfAll = limit }: ContactSearch,
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
  const maxContacts = howMany({ isMany, seesEvery, left: maxOfAll - found.length })
  const others = maxContacts > 0 ? await byNumbers(await findNumbers(db, orgKey, needles, maxContacts)) : []
  return idsOf(new Map([...found, ...others].map(one => [one.id, one])).values())
}

interface ContactPage extends Pick<ContactSearch, 'typed' | 'home' | 'limit'> {
  /** Id of the contact before the first one. */
  readonly after?: string | undefined
}

/**
 * Contacts that match as in `findConversationsByContact`, newest first, page by page. The caller checks which of them
 * the viewer sees.
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
