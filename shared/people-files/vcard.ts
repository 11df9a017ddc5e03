import type { CsvFile, CsvRow } from './csv.ts'

const charsAtOnce = 32 * 1024
/** Per value. Photos are skipped, whatever their length. */
const valueMaxChars = 10_000

/** A property of a card: `item1.TEL;TYPE=CELL;waid=549…:+54 9 …`. */
interface Property {
  readonly name: string
  readonly params: readonly string[]
  readonly value: string
}

/** The columns of a vCard file. */
const columns = ['TEL', 'FN', 'ORG', 'EMAIL', 'NOTE', 'CATEGORIES', 'BDAY'] as const
export type CardColumn = (typeof columns)[number]
const wanted = new Set<string>([...columns, 'N', 'BEGIN', 'END'])

export const isVcard = (text: string): boolean => /^\uFEFF?\s*BEGIN:VCARD/i.test(text.slice(0, 1000))

const propertyHead = /^(?:[A-Za-z0-9-]+\.)?([A-Za-z0-9-]+)((?:;(?:[^:";]|"[^"]*")*)*):/
const nameStart = /^(?:[A-Za-z0-9-]+\.)?([A-Za-z0-9-]{1,40})[;:]/

const decodeQuotedPrintable = (text: string, params: readonly string[]): string => {
  const bytes: number[] = []
  for (const part of text.split(/(=[0-9a-f]{2})/i))
    if (/^=[0-9a-f]{2}$/i.test(part)) bytes.push(Number.parseInt(part.slice(1), 16))
    else bytes.push(...new TextEncoder().encode(part))
  const charset = params.find(param => /^charset=/i.test(param))?.slice(8) ?? 'utf-8'
  try {
    return new TextDecoder(charset).decode(Uint8Array.from(bytes))
  } catch {
    return new TextDecoder().decode(Uint8Array.from(bytes))
  }
}

const isQuotedPrintable = (head: string): boolean => /;(?:encoding=)?quoted-printable[;:]/i.test(`${head}:`)

/**
 * The needed properties of all cards. Folded lines are joined: marked by a space at the start of the next line, or in
 * quoted-printable by `=` at the end. Undefined: the caller should yield. @see RFC 6350, 3.2; vCard 2.1, 2.1.3
 */
function* readProperties(text: string): Generator<Property | undefined> {
  let pause = charsAtOnce
  let at = 0
  const nextLine = (): string => {
    let end = text.indexOf('\n', at)
    if (end < 0) end = text.length
    const line = text.slice(at, end)
    at = end + 1
    return line.endsWith('\r') ? line.slice(0, -1) : line
  }
  while (at < text.length) {
    if (at >= pause) {
      pause = at + charsAtOnce
      yield undefined
    }
    const line = nextLine()
    const name = nameStart.exec(line.slice(0, 100))?.[1]?.toUpperCase()
    if (name === undefined) continue
    const isWanted = wanted.has(name)
    const parts = [line]
    let length = line.length
    const isSoft = isWanted && isQuotedPrintable(line.slice(0, line.indexOf(':')))
    while (at < text.length) {
      if (at >= pause) {
        pause = at + charsAtOnce
        yield undefined
      }
      const last = parts.at(-1) as string
      const isContinued = isSoft ? last.endsWith('=') : text[at] === ' ' || text[at] === '\t'
      if (!isContinued) break
      if (isSoft) parts[parts.length - 1] = last.slice(0, -1)
      const more = nextLine()
      length += more.length
      if (isWanted && length < valueMaxChars) parts.push(isSoft ? more : more.slice(1))
      else if (isSoft) parts.push(more.endsWith('=') ? '=' : '')
    }
    if (!isWanted) continue
    const whole = parts.join('').slice(0, valueMaxChars)
    const head = propertyHead.exec(whole)
    if (!head) continue
    const params = (head[2] ?? '').split(';').filter(Boolean)
    const value = whole.slice(head[0].length)
    yield { name, params, value: isSoft ? decodeQuotedPrintable(value, params) : value }
  }
}

const unescaped = (text: string): string =>
  text.replace(/\\([nN,;:\\])/g, (_, char: string) => (/n/i.test(char) ? '\n' : char)).trim()

/** Family; given; middle; prefix; suffix. */
const nameOf = (value: string): string => {
  const [family = '', given = '', middle = ''] = value.split(/(?<!\\);/).map(unescaped)
  return [given, middle, family].filter(Boolean).join(' ')
}

const hasType = (params: readonly string[], pattern: RegExp): boolean =>
  params.some(param => pattern.test(param.replace(/^type=/i, '').replaceAll('"', '')))

/** Mobile numbers first, work numbers last, no fax. */
const telephoneOf = ({ params, value }: Property): { rank: number; text: string } | undefined => {
  const waId = params.find(param => /^waid=\d+$/i.test(param))?.slice(5)
  if (waId !== undefined) return { rank: 0, text: `+${waId}` }
  if (hasType(params, /(?:^|,)(?:fax|pager|modem|isdn)(?:,|$)/i) && !hasType(params, /cell|voice/i)) return undefined
  const rank = hasType(params, /cell|mobile/i) ? 1 : hasType(params, /work/i) ? 3 : 2
  return { rank, text: unescaped(value).replaceAll('\n', ' ') }
}

const rowOf = (card: readonly Property[], row: number): CsvRow => {
  const textOf = (name: string) => unescaped(card.find(one => one.name === name && one.value.trim())?.value ?? '')
  const parts = card.find(({ name }) => name === 'N')?.value ?? ''
  const organization = textOf('ORG').split(';').filter(Boolean).join(', ')
  const telephones = card.flatMap(one => (one.name === 'TEL' ? (telephoneOf(one) ?? []) : []))
  const categories = card.flatMap(({ name, value }) => (name === 'CATEGORIES' ? value.split(/(?<!\\)[,;]/) : []))
  const values = {
    TEL: telephones
      .sort((a, b) => a.rank - b.rank)
      .map(({ text }) => text)
      .filter(Boolean)
      .join(' ::: '),
    FN: textOf('FN') || nameOf(parts) || organization,
    ORG: organization,
    EMAIL: textOf('EMAIL'),
    NOTE: textOf('NOTE'),
    CATEGORIES: categories.map(unescaped).filter(Boolean).join(', '),
    BDAY: textOf('BDAY').replace(/^(\d{4})(\d{2})(\d{2})$/, '$1-$2-$3'),
  }
  return { row, values, cells: columns.length, isUnclosed: false }
}

/** Further properties of a card are ignored. */
const maxProperties = 200

/** Reads vCards 2.1, 3.0 and 4.0 as rows. A row's number is that of its card. */
export const readVcards = (text: string): CsvFile => ({
  columns,
  hasHeader: true,
  *entries() {
    let row = 0
    let depth = 0
    let card: Property[] = []
    for (const property of readProperties(text)) {
      if (!property) {
        yield undefined
        continue
      }
      const { name, value } = property
      const isCard = value.trim().toUpperCase() === 'VCARD'
      if (name === 'BEGIN' && isCard) {
        depth += 1
        if (depth === 1) card = []
      } else if (name === 'END' && isCard) {
        depth = Math.max(0, depth - 1)
        if (depth > 0) continue
        row += 1
        yield rowOf(card, row)
        card = []
        // A card inside another (`AGENT`) is another person.
      } else if (depth === 1 && card.length < maxProperties) card.push(property)
    }
    if (card.length) yield rowOf(card, row + 1)
  },
})

const heavy = new Set(['PHOTO', 'LOGO', 'SOUND', 'KEY'])

/** Removes pictures and sounds, which nobody imports and which are most of the file. */
export const withoutPictures = (text: string): string => {
  const kept: string[] = []
  let isHeavy = false
  for (const line of text.split('\n')) {
    const name = nameStart.exec(line.slice(0, 100))?.[1]?.toUpperCase()
    // Base64 of version 2.1 may be in lines that are not marked as continued. None contains a colon.
    if (name !== undefined) isHeavy = heavy.has(name)
    if (!isHeavy) kept.push(line)
  }
  return kept.join('\n')
}
