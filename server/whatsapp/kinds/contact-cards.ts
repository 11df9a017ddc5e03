import { asList, asObject, asText, cleanLine, type Json, webAddress } from '../scalars.ts'
import { readWaId } from '../webhooks/customer-ids.ts'
import type { InboundContent, MessageContent } from '../webhooks/inbound.ts'

type ContactCard = NonNullable<MessageContent['contacts']>[number]

/** Entries that are read from each list of a card, such as its phones. */
const maxEntries = 50
const maxValueChars = 2000
/** Characters that are read of one message: 257 cards of 500 characters. The rest is ignored. */
const maxMessageChars = 128 * 1024
/** vCard lines that are read of one message. Most lines belong to photos, which are skipped. */
const maxMessageLines = 40_000
/** Each value counts as at least this many characters, because short values cost time too. */
const leastChars = 16

/** Counts down what may still be read of one message. This bounds the work for many or long cards. */
class Allowance {
  lines = maxMessageLines
  #chars = maxMessageChars

  /** Returns the value, cut to `maxValueChars`. Undefined: it is no text, or the message's allowance is used up. */
  take(value: unknown): string | undefined {
    const text = asText(value)?.slice(0, maxValueChars)
    if (text === undefined || this.#chars <= 0) return undefined
    this.#chars -= Math.max(leastChars, text.length)
    return text
  }

  line(value: unknown, maxChars?: number): string | undefined {
    return cleanLine(this.take(value), maxChars)
  }

  address(value: unknown): string | undefined {
    return webAddress(this.take(value))
  }

  joined(parts: readonly unknown[], between: string): string | undefined {
    return cleanLine(parts.flatMap(part => this.line(part) ?? []).join(between), 300)
  }
}

/** Applies `read` to the first entries of a list; duplicates are dropped. */
const eachOf = (list: unknown, read: (entry: Json) => string | undefined): string[] => [
  ...new Set(
    asList(list)
      .slice(0, maxEntries)
      .flatMap(entry => read(asObject(entry) ?? {}) ?? []),
  ),
]

const escaped: Readonly<Record<string, string>> = { n: ' ', N: ' ' }
/** Matches the properties that are read. Sticky, so that other lines fail at their first letters. */
const property = /(?:[a-z\d-]{1,20}\.)?(FN|N|ORG|TITLE|BDAY|TEL|EMAIL|ADR|URL)(?:;[^:\n]{0,500})?:([^\r\n]{0,2000})/iy
const isFold = (char: string | undefined): boolean => char === ' ' || char === '\t'

/** The values of a vCard by name, unfolded and still escaped. @see RFC 6350 */
const vCardValues = (text: string, allowance: Allowance): ReadonlyMap<string, string[]> => {
  const values = new Map<string, string[]>()
  let open: { list: string[]; value: string } | undefined
  const close = () => {
    const value = open && allowance.take(open.value)
    if (open && value !== undefined) open.list.push(value)
    open = undefined
  }
  for (let at = 0; at < text.length && allowance.lines > 0; allowance.lines -= 1) {
    const found = text.indexOf('\n', at)
    const end = found < 0 ? text.length : found
    if (isFold(text[at])) {
      if (open && open.value.length < maxValueChars)
        open.value += text.slice(at + 1, Math.min(end, at + 1 + maxValueChars)).replace(/\r$/, '')
    } else {
      close()
      property.lastIndex = at
      const [, name, value] = property.exec(text) ?? []
      if (name !== undefined && value !== undefined) {
        const list = values.get(name.toUpperCase()) ?? []
        values.set(name.toUpperCase(), list)
        if (list.length < maxEntries) open = { list, value }
      }
    }
    at = end + 1
  }
  close()
  return values
}

const plain = (value: string): string => value.replace(/\\(.)/g, (_, char: string) => escaped[char] ?? char)
/** Parts that are read of one value. RFC 6350 gives an address seven parts and a name five. */
const maxParts = 10
/** Splits at `;` unless it is escaped with a backslash. Empty parts are dropped. */
const partsOf = (value: string): string[] => (value.match(/(?:\\.|[^;\\])+/g) ?? []).slice(0, maxParts).map(plain)

const joinedParts = (value: string, between: string): string | undefined =>
  cleanLine(
    partsOf(value)
      .flatMap(part => cleanLine(part) ?? [])
      .join(between),
    300,
  )

const cardOfVCard = (
  text: string,
  allowance: Allowance,
): Partial<ContactCard> & Pick<ContactCard, 'phones' | 'emails'> => {
  const values = vCardValues(text, allowance)
  const all = (name: string) => [...new Set((values.get(name) ?? []).flatMap(value => cleanLine(plain(value)) ?? []))]
  const inParts = (name: string) => (values.get(name) ?? []).flatMap(value => joinedParts(value, ', ') ?? [])
  const [family, given, ...more] = partsOf(values.get('N')?.[0] ?? '')
  const name = all('FN')[0] ?? cleanLine([given, ...more, family].filter(Boolean).join(' '), 300)
  const [company] = inParts('ORG')
  const [title] = all('TITLE')
  const [birthday] = all('BDAY')
  return {
    ...(name ? { name } : {}),
    phones: all('TEL'),
    emails: all('EMAIL'),
    addresses: inParts('ADR'),
    urls: all('URL').flatMap(url => webAddress(url) ?? []),
    ...(company ? { company } : {}),
    ...(title ? { title } : {}),
    ...(birthday ? { birthday } : {}),
  }
}

const either = (theirs: string[], more: readonly string[] | undefined): string[] =>
  theirs.length ? theirs : [...(more ?? [])]

const cardOf = (entry: unknown, allowance: Allowance): ContactCard | undefined => {
  const card = asObject(entry)
  if (card === undefined) return undefined
  const name: Json = asObject(card.name) ?? {}
  const said =
    allowance.line(name.formatted_name) ?? allowance.joined([name.first_name, name.middle_name, name.last_name], ' ')
  const vCard = asText(card.vcard)
  const more: Partial<ContactCard> = vCard === undefined ? {} : cardOfVCard(vCard, allowance)
  const org: Json = asObject(card.org) ?? {}
  const company = allowance.joined([org.company, org.department], ', ') ?? more.company
  const title = allowance.line(org.title) ?? more.title
  const birthday = allowance.line(card.birthday, 40) ?? more.birthday
  const waIds = eachOf(card.phones, ({ wa_id }) => readWaId(allowance.take(wa_id)))
  const phones = either(
    eachOf(card.phones, ({ phone, wa_id }) => allowance.line(phone) ?? allowance.line(wa_id)),
    more.phones,
  )
  const emails = either(
    eachOf(card.emails, ({ email }) => allowance.line(email)),
    more.emails,
  )
  const addresses = either(
    eachOf(card.addresses, ({ street, city, state, zip, country }) =>
      allowance.joined([street, city, state, zip, country], ', '),
    ),
    more.addresses,
  )
  const urls = either(
    eachOf(card.urls, ({ url }) => allowance.address(url)),
    more.urls,
  )
  const called = said ?? more.name
  return {
    name: called ?? company ?? phones[0] ?? emails[0] ?? '',
    phones,
    emails,
    ...(waIds.length ? { waIds } : {}),
    ...(company ? { company } : {}),
    ...(title ? { title } : {}),
    ...(addresses.length ? { addresses } : {}),
    ...(urls.length ? { urls } : {}),
    ...(birthday ? { birthday } : {}),
  }
}

/** Reads the cards of a message, at most 257 as Meta allows. Undefined: none is an object. */
export const readContactCards = (list: unknown): InboundContent | undefined => {
  const allowance = new Allowance()
  const cards = asList(list)
    .slice(0, 257)
    .flatMap(entry => cardOf(entry, allowance) ?? [])
  return cards.length > 0 ? { type: 'contacts', text: cards[0]?.name ?? '', content: { contacts: cards } } : undefined
}
