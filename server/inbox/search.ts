import { sql } from 'kysely'
import { digitsOf, phoneKey } from '#shared/phone.ts'
import { type Db, says } from '../db.ts'
import { fold } from '../fold.ts'

/**
 * What one search may cost: it reads the names of so many conversations and the text of so many messages, the newest
 * of them, and answers so many conversations at most. Numbers are found by index, however old.
 */
const maxScannedConversations = 20_000
const maxScannedMessages = 10_000
const maxFound = 500
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

const like = (part: string) => `%${part.replace(/[\\%_]/g, '\\$&')}%`

const byContact = (db: Db, orgId: string, archived: number, search: string, home: string) =>
  db
    .selectFrom(
      db
        .selectFrom('conversation')
        .select(['id', 'contact_id'])
        .where('org_id', '=', orgId)
        .where('archived', '=', archived)
        .orderBy('last_activity_at', 'desc')
        .orderBy('id', 'desc')
        .limit(maxScannedConversations)
        .as('recent'),
    )
    .innerJoin('contact', 'contact.id', 'recent.contact_id')
    .select('recent.id')
    .where(eb =>
      eb.or(
        needlesOf(search, home).map(part => sql<boolean>`${eb.ref('contact.search')} like ${like(part)} escape '\\'`),
      ),
    )
    .limit(maxFound)
    .execute()

const byNumber = (db: Db, orgId: string, search: string, home: string) =>
  db
    .selectFrom('contact_identity')
    .innerJoin('conversation', 'conversation.contact_id', 'contact_identity.contact_id')
    .select('conversation.id')
    .where('contact_identity.org_id', '=', orgId)
    .where('contact_identity.kind', '=', 'phone')
    .where(eb =>
      eb.or(
        numberKeys(search, home).map(key =>
          eb.and([eb('contact_identity.match_key', '>=', key), eb('contact_identity.match_key', '<', `${key}:`)]),
        ),
      ),
    )
    .limit(maxByNumber)
    .execute()

/** The organization's newest messages only, so that the cost is bounded. */
const byText = (db: Db, orgId: string, search: string) =>
  db
    .selectFrom(
      db
        .selectFrom('message')
        .select(['conversation_id', 'text'])
        .where('org_id', '=', orgId)
        .orderBy('seq', 'desc')
        .limit(maxScannedMessages)
        .as('recent'),
    )
    .select('recent.conversation_id as id')
    .distinct()
    .where(eb => says(eb.ref('recent.text'), fold(search.trim())))
    .limit(maxFound)
    .execute()

/**
 * Ids of conversations that fit: name, username, number in any spelling, whole or in part, and words of recent
 * messages; accents and case count nowhere. A number without its country is also read as one of `callingCode`. At most
 * about a thousand, in no order.
 */
export async function findConversationIds(
  db: Db,
  orgId: string,
  archived: number,
  search: string,
  callingCode: string = argentina,
): Promise<string[]> {
  const isNumber = looksLikeNumber.test(search) && digitsOf(search).length >= minDigits
  const found = [
    ...(await byContact(db, orgId, archived, search, callingCode)),
    ...(isNumber ? await byNumber(db, orgId, search, callingCode) : []),
    ...(search.trim().length >= minTextChars ? await byText(db, orgId, search) : []),
  ]
  return [...new Set(found.map(row => row.id))]
}
