import type { InboundContent, MessageContent } from './inbound.ts'
import { asList, asObject, asText, cleanLine, type Json, webAddress } from './scalars.ts'
import { waIdOf } from './sender.ts'

type ContactCard = NonNullable<MessageContent['contacts']>[number]

const mostLines = 50

const linesOf = (list: unknown, keys: readonly string[]): string[] =>
  asList(list)
    .slice(0, mostLines)
    .flatMap(entry => {
      const object = asObject(entry)
      for (const key of keys) {
        const line = cleanLine(object?.[key])
        if (line !== undefined) return [line]
      }
      return []
    })

/** The WhatsApp numbers of a card, digits: who of it can be written to. */
const waIdsOf = (list: unknown): string[] => [
  ...new Set(
    asList(list)
      .slice(0, mostLines)
      .flatMap(entry => waIdOf(asObject(entry)?.wa_id) ?? []),
  ),
]

const joined = (parts: readonly unknown[], between: string): string | undefined =>
  cleanLine(parts.flatMap(part => cleanLine(part) ?? []).join(between), 300)

const addressesOf = (list: unknown): string[] =>
  asList(list)
    .slice(0, mostLines)
    .flatMap(entry => {
      const { street, city, state, zip, country } = asObject(entry) ?? {}
      return joined([street, city, state, zip, country], ', ') ?? []
    })

const addressesOfWeb = (lines: readonly string[]): string[] => lines.flatMap(line => webAddress(line) ?? [])

const escaped: Readonly<Record<string, string>> = { n: ' ', N: ' ' }
const mostCardChars = 64 * 1024

/** The lines of a vCard by name, unfolded and unescaped. @see RFC 6350 */
const vCardLines = (text: string): ReadonlyMap<string, string[]> => {
  const lines = new Map<string, string[]>()
  for (const line of text
    .slice(0, mostCardChars)
    .replace(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)) {
    const [, name, value] = /^(?:item\d+\.)?([A-Za-z-]{1,30})(?:;[^:]{0,500})?:(.{0,2000})/.exec(line) ?? []
    if (name === undefined || value === undefined) continue
    const known = lines.get(name.toUpperCase()) ?? []
    if (known.length < mostLines) known.push(value)
    lines.set(name.toUpperCase(), known)
  }
  return lines
}

const plain = (value: string): string => value.replace(/\\(.)/g, (_, char: string) => escaped[char] ?? char)
/** Parts of a value: divided by `;`, of which one behind a backslash is none. */
const partsOf = (value: string): string[] => (value.match(/(?:\\.|[^;\\])+/g) ?? []).map(plain)

const cardOfVCard = (text: string): Partial<ContactCard> & Pick<ContactCard, 'phones' | 'emails'> => {
  const lines = vCardLines(text)
  const all = (name: string) => (lines.get(name) ?? []).flatMap(value => cleanLine(plain(value)) ?? [])
  const inParts = (name: string, between: string) =>
    (lines.get(name) ?? []).flatMap(value => joined(partsOf(value), between) ?? [])
  const [family, given, ...more] = partsOf(lines.get('N')?.[0] ?? '')
  const name = all('FN')[0] ?? joined([given, ...more, family], ' ')
  const [company] = inParts('ORG', ', ')
  const [title] = all('TITLE')
  const [birthday] = all('BDAY')
  return {
    ...(name ? { name } : {}),
    phones: all('TEL'),
    emails: all('EMAIL'),
    addresses: inParts('ADR', ', '),
    urls: addressesOfWeb(all('URL')),
    ...(company ? { company } : {}),
    ...(title ? { title } : {}),
    ...(birthday ? { birthday } : {}),
  }
}

const either = (theirs: string[], more: readonly string[] | undefined): string[] =>
  theirs.length ? theirs : [...(more ?? [])]

const cardOf = (entry: unknown): ContactCard | undefined => {
  const card = asObject(entry)
  if (card === undefined) return undefined
  const vCard = asText(card.vcard)
  const more: Partial<ContactCard> = vCard === undefined ? {} : cardOfVCard(vCard)
  const name: Json = asObject(card.name) ?? {}
  const org: Json = asObject(card.org) ?? {}
  const company = joined([org.company, org.department], ', ') ?? more.company
  const title = cleanLine(org.title) ?? more.title
  const birthday = cleanLine(card.birthday, 40) ?? more.birthday
  const waIds = waIdsOf(card.phones)
  const phones = either(linesOf(card.phones, ['phone', 'wa_id']), more.phones)
  const emails = either(linesOf(card.emails, ['email']), more.emails)
  const addresses = either(addressesOf(card.addresses), more.addresses)
  const urls = either(addressesOfWeb(linesOf(card.urls, ['url'])), more.urls)
  const called =
    cleanLine(name.formatted_name) ?? joined([name.first_name, name.middle_name, name.last_name], ' ') ?? more.name
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

/** Meta allows 257 cards in one message. A card of which nothing can be read says nothing. */
export const contactsOf = (list: unknown): InboundContent | undefined => {
  const cards = asList(list)
    .slice(0, 257)
    .flatMap(entry => cardOf(entry) ?? [])
  return cards.length > 0 ? { type: 'contacts', text: cards[0]?.name ?? '', content: { contacts: cards } } : undefined
}
