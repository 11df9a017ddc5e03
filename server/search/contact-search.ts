import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../db.ts'
import type { Viewer } from '../visibility/scope.ts'
import {
  countTerms,
  endOfStretch,
  type FoundConversation,
  findByTerms,
  findInStretch,
  type WalkPlace,
} from './contact-index-store.ts'
import { type Needle, needlesOf } from './contact-terms.ts'

/** What so many contacts have, or fewer, is found whole. */
const fewContacts = 2_000
/** What fewer have is found sooner by itself than among those that were active last. */
const someContacts = 200
/** What more have is looked for among so many that were active last, half of them archived, in looks of which each is longer. */
const latest = 2_000
const firstLook = 150

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
  readonly most: number
  /** There is another way: where too few are met on the first steps, no further ones are taken. */
  readonly mayGiveUp: boolean
  /** What was active before it is not asked for. */
  readonly since?: string | undefined
}

/** Of those that were active last; `isWhole`: whatever was not looked at was active before all that is asked for. */
async function walkLatest(
  db: Db,
  viewer: Viewer,
  needles: readonly Needle[],
  { archived, limit, most, mayGiveUp, since = '' }: Walk,
) {
  const found: FoundConversation[] = []
  let after: WalkPlace | undefined
  for (let looked = 0, count = firstLook; looked < most; count *= 3) {
    const stretch = { archived, after, count: Math.min(count, most - looked) }
    found.push(...(await findInStretch(db, viewer, needles, stretch)))
    looked += stretch.count
    if (found.length >= limit) return { found, isWhole: true }
    after = await endOfStretch(db, viewer.orgId, stretch)
    if (!after || after.at < since) return { found, isWhole: true }
    if (mayGiveUp && found.length * most < limit * looked) break
    await nextTurn()
  }
  return { found, isWhole: false }
}

const inOrder = (found: Iterable<FoundConversation>): FoundConversation[] =>
  [...found].sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1))

/** Of open and archived ones together; `isWhole`: those are the first of all, and there are `limit` of them or no more. */
async function findAmongLatest(
  db: Db,
  viewer: Viewer,
  needles: readonly Needle[],
  { archived, ...rest }: Pick<ContactSearch, 'archived'> & Pick<Walk, 'limit' | 'mayGiveUp'>,
) {
  if (archived !== undefined) return walkLatest(db, viewer, needles, { archived, ...rest, most: latest })
  const most = latest / 2
  const first = await walkLatest(db, viewer, needles, { archived: false, ...rest, most })
  if (rest.mayGiveUp && !first.isWhole) return first
  const since = inOrder(first.found)[rest.limit - 1]?.at
  const others = await walkLatest(db, viewer, needles, { archived: true, ...rest, most, since })
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
  const counted: { needle: (typeof needles)[number]; terms: number }[] = []
  for (const needle of needles)
    counted.push({ needle, terms: await countTerms(db, viewer.orgId, needle, fewContacts + 1) })
  const [first, ...others] = counted.sort((a, b) => a.terms - b.terms)
  if (!first?.terms) return []
  const byRarest = [first.needle, ...others.map(({ needle }) => needle)] as const
  const isMany = first.terms > fewContacts
  const isAmongLatest = isMany || first.terms > Math.max(someContacts, limit)
  const walk = { archived, limit, mayGiveUp: !isMany }
  const among = isAmongLatest ? await findAmongLatest(db, viewer, byRarest, walk) : undefined
  const found = new Map(among?.found.map(one => [one.id, one]))
  const mostContacts = howMany({ isMany, seesEvery: viewer.scope.kind === 'all', left: mostOfAll - found.size })
  if (!among?.isWhole && mostContacts > 0)
    for (const one of await findByTerms(db, viewer, byRarest, { archived, limit, mostContacts })) found.set(one.id, one)
  return inOrder(found.values())
    .slice(0, limit)
    .map(({ id }) => id)
}
