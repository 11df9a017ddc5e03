import { setImmediate as nextTurn } from 'node:timers/promises'
import { fold } from '#shared/fold.ts'
import { digitsOf, phoneKey } from '#shared/phone.ts'
import type { Db } from '../../db.ts'
import { listedKind } from '../../numbers/listed-kind.ts'
import { findConversationsByText } from '../../search/search.ts'
import { seen } from '../../visibility/condition.ts'
import type { Viewer } from '../../visibility/scope.ts'

/**
 * What one search may cost: it reads the names of so many conversations and the text of so many messages that are
 * not in the index yet, the newest of them, of each as much as WhatsApp lets anybody type, and answers so many conversations at most. Numbers are found by index, however old.
 */
const maxScannedConversations = 20_000
const maxFound = 500
/** Read in one turn of the event loop: some milliseconds each, however long the texts are. */
const conversationsPerSlice = 1000
const maxByNumber = 100
const minDigits = 3
const minTextChars = 3

const looksLikeNumber = /^[+\d\s().-]+$/
/** The country people leave out when they type, unless their organization chose another. */
const argentina = '54'

/** All beginnings that a typed number, whole or in part, can have as a key. */
const numberKeys = (typed: string, home: string): string[] => {
  const digits = digitsOf(typed)
  const national = digits.replace(/^0+/, '')
  const guesses = [digits, phoneKey(digits), phoneKey(home + national)]
  if (digits.startsWith(argentina) && digits[2] !== '9') guesses.push(`549${digits.slice(2)}`)
  return [...new Set(guesses.filter(guess => guess.length >= minDigits))]
}

/** Parts to look for inside the folded names and digits of a contact. */
const needlesOf = (search: string, home: string): string[] => {
  const folded = fold(search.trim())
  if (!looksLikeNumber.test(search) || digitsOf(search).length < minDigits) return [folded]
  const digits = digitsOf(search)
  return [...new Set([digits, digits.replace(/^0+/, ''), ...numberKeys(search, home)])].filter(
    part => part.length >= minDigits,
  )
}

/** One slice of a scan: what it found, and where the next begins; undefined: there is no more. */
type Scan<At> = (after: At | undefined) => Promise<{ rows: number; found: string[]; next: At | undefined }>

/** Walks in slices with turns for others between, until enough is found, read, or there is no more. */
const scan = async <At>(slice: Scan<At>, most: { rows: number; found: number }): Promise<string[]> => {
  const found = new Set<string>()
  let after: At | undefined
  for (let rows = 0; rows < most.rows && found.size < most.found; ) {
    const read = await slice(after)
    for (const id of read.found) found.add(id)
    if (read.next === undefined) break
    rows += read.rows
    after = read.next
    await nextTurn()
  }
  return [...found].slice(0, most.found)
}

const byContact = (db: Db, { orgId, scope }: Viewer, archived: number, search: string, home: string) => {
  const needles = needlesOf(search, home)
  return scan<{ at: string; id: string }>(
    async after => {
      let query = db
        .selectFrom('conversation')
        .innerJoin('contact', 'contact.id', 'conversation.contact_id')
        .select(['conversation.id', 'conversation.last_activity_at as at', 'contact.search'])
        // Asked and not demanded: whoever sees few of many would have all of them walked in one turn.
        .select(seen(scope).as('isSeen'))
        .where('conversation.org_id', '=', orgId)
        .where('conversation.kind', '=', listedKind(orgId))
        .where('conversation.archived', '=', archived)
      if (after)
        query = query.where(eb =>
          eb(eb.refTuple('conversation.last_activity_at', 'conversation.id'), '<', eb.tuple(after.at, after.id)),
        )
      const rows = await query
        .orderBy('conversation.last_activity_at', 'desc')
        .orderBy('conversation.id', 'desc')
        .limit(conversationsPerSlice)
        .execute()
      const found = rows.filter(row => row.isSeen && needles.some(part => row.search.includes(part))).map(row => row.id)
      return { rows: rows.length, found, next: rows.length < conversationsPerSlice ? undefined : rows.at(-1) }
    },
    { rows: maxScannedConversations, found: maxFound },
  )
}

const byNumber = (db: Db, { orgId, scope }: Viewer, search: string, home: string) =>
  db
    .selectFrom('contact_identity')
    .innerJoin('conversation', 'conversation.contact_id', 'contact_identity.contact_id')
    .select('conversation.id')
    .where('contact_identity.org_id', '=', orgId)
    .where('contact_identity.kind', '=', 'phone')
    .where(seen(scope))
    .where(eb =>
      eb.or(
        numberKeys(search, home).map(key =>
          eb.and([eb('contact_identity.match_key', '>=', key), eb('contact_identity.match_key', '<', `${key}:`)]),
        ),
      ),
    )
    .limit(maxByNumber)
    .execute()

/**
 * Ids of conversations that fit: name, username, number in any spelling, whole or in part, and words of
 * messages or beginnings of words, all of them in one message; accents and case count nowhere. A number without its country is also read as one of `callingCode`. At most
 * about a thousand, in no order.
 */
export async function findConversationIds(
  db: Db,
  viewer: Viewer,
  archived: number,
  search: string,
  callingCode: string = argentina,
): Promise<string[]> {
  const isNumber = looksLikeNumber.test(search) && digitsOf(search).length >= minDigits
  const found = [
    ...(await byContact(db, viewer, archived, search, callingCode)),
    ...(isNumber ? (await byNumber(db, viewer, search, callingCode)).map(row => row.id) : []),
    ...(search.trim().length >= minTextChars ? await findConversationsByText(db, viewer, search) : []),
  ]
  return [...new Set(found)]
}
