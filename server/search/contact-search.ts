import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Db } from '../db.ts'
import type { Viewer } from '../visibility/scope.ts'
import { countTerms, type FoundConversation, findAmongLatest, findByTerms } from './contact-index-store.ts'
import { needlesOf } from './contact-terms.ts'

/** What so many contacts have, or fewer, is found whole. */
const fewContacts = 2_000
/** What more have is looked for among so many that were active last: some milliseconds. */
const latest = 1_000

interface ContactSearch {
  readonly typed: string
  /** Calling code of the country people leave out; Argentina's unless given. */
  readonly home?: string | undefined
  /** Undefined: archived or not. */
  readonly archived?: boolean | undefined
  readonly limit: number
}

/** Of contacts, so many are looked at by what they are called: those who see few of them need more of a look. */
const howMany = ({ isMany, seesEvery, left }: { isMany: boolean; seesEvery: boolean; left: number }): number => {
  if (!isMany) return fewContacts
  return seesEvery ? left : Math.max(left, latest)
}

/**
 * Conversations with whom is meant by name, username or number: every word, or its beginning, and any part of the number
 * in any spelling; accents and case do not count. Last active first, at most `limit`; where it means more than two
 * thousand contacts, those of the thousand that were active last, and then some of the others. Empty where nothing of it
 * is a word.
 */
export async function findConversationsByContact(
  db: Db,
  viewer: Viewer,
  { typed, home, archived, limit }: ContactSearch,
): Promise<string[]> {
  const needles = needlesOf(typed, home)
  const counted: { needle: (typeof needles)[number]; terms: number }[] = []
  for (const needle of needles)
    counted.push({ needle, terms: await countTerms(db, viewer.orgId, needle, fewContacts + 1) })
  const [first, ...others] = counted.sort((a, b) => a.terms - b.terms)
  if (!first?.terms) return []
  const byRarest = [first.needle, ...others.map(({ needle }) => needle)] as const
  const found = new Map<string, FoundConversation>()
  if (first.terms > fewContacts)
    for (const isArchived of archived === undefined ? [false, true] : [archived]) {
      for (const one of await findAmongLatest(db, viewer, byRarest, { archived: isArchived, most: latest }))
        found.set(one.id, one)
      await nextTurn()
    }
  const mostContacts = howMany({
    isMany: first.terms > fewContacts,
    seesEvery: viewer.scope.kind === 'all',
    left: limit - found.size,
  })
  if (mostContacts > 0)
    for (const one of await findByTerms(db, viewer, [...byRarest], { archived, limit, mostContacts }))
      found.set(one.id, one)
  const inOrder = [...found.values()].sort((a, b) => (a.at === b.at ? (a.id < b.id ? 1 : -1) : a.at < b.at ? 1 : -1))
  return inOrder.slice(0, limit).map(({ id }) => id)
}
