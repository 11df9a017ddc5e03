import {
  closeBrace,
  closeBracket,
  codeOf,
  endOfText,
  JsonTooLarge,
  openBrace,
  openBracket,
  parseCounted,
  quote,
  structural,
  tooLarge,
} from './json.ts'

/** A list or an object with at most this many values is parsed as one. */
const smallValues = 1000
/** At most this many values are parsed at once: a few milliseconds. */
export const valuesAtOnce = 20_000
/** Far more than Meta sends; each member of a large object is parsed on its own. */
const maxMembers = 1000
/** Deeper parts are parsed together with what surrounds them. */
const deepestLarge = 16
/** Unparsable parts are returned as their beginning. */
const shownBytes = 16 * 1024

const comma = codeOf(',')
const colon = codeOf(':')
const isOpen = (byte: number | undefined) => byte === openBrace || byte === openBracket
const isClose = (byte: number | undefined) => byte === closeBrace || byte === closeBracket
const isSpace = (byte: number | undefined) => byte === 32 || byte === 10 || byte === 13 || byte === 9

interface Text {
  readonly json: Buffer
  /** Lists and objects with more than `smallValues`: their begin mapped to their end. */
  readonly large: ReadonlyMap<number, number>
  /** Values parsed so far. */
  parsed: number
}

const unbalanced = () => new SyntaxError('brackets of the JSON do not match')

/**
 * Locates lists and objects with more than `smallValues`, and counts all values, in one pass over the bytes.
 * @throws SyntaxError if brackets or quotes do not match, JsonTooLarge
 */
const locateLarge = (json: Buffer, maxValues: number): { large: Map<number, number>; values: number } => {
  const large = new Map<number, number>()
  const opened: { at: number; values: number }[] = []
  let values = 1
  for (let at = 0; at < json.length; ) {
    const byte = structural[json[at] as number]
    if (byte === 0) {
      at += 1
      continue
    }
    if (byte === quote) {
      at = endOfText(json, at)
      if (at > json.length) throw unbalanced()
      continue
    }
    if (byte === comma) {
      values += 1
      if (values > maxValues) throw tooLarge(maxValues)
    } else if (isOpen(byte)) {
      opened.push({ at, values })
      values += 1
      if (values > maxValues) throw tooLarge(maxValues)
    } else if (isClose(byte)) {
      const last = opened.pop()
      // In ASCII, an opening bracket or brace and its closing one are two apart.
      if (last === undefined || (json[last.at] as number) + 2 !== byte) throw unbalanced()
      if (values - last.values > smallValues && opened.length < deepestLarge) large.set(last.at, at + 1)
    }
    at += 1
  }
  if (opened.length > 0) throw unbalanced()
  return { large, values }
}

const skipSpace = (json: Buffer, from: number): number => {
  let at = from
  while (isSpace(json[at])) at += 1
  return at
}

const endOfValue = ({ json, large }: Text, from: number): number => {
  const byte = json[from]
  if (byte === quote) return endOfText(json, from)
  let at = from
  if (!isOpen(byte)) {
    while (at < json.length && json[at] !== comma && !isClose(json[at]) && !isSpace(json[at])) at += 1
    return at
  }
  const known = large.get(from)
  if (known !== undefined) return known
  for (let depth = 0; at < json.length; ) {
    if (json[at] === quote) {
      at = endOfText(json, at)
      continue
    }
    if (isOpen(json[at])) depth += 1
    else if (isClose(json[at])) depth -= 1
    at += 1
    if (depth === 0) break
  }
  return at
}

const shown = ({ json }: Text, from: number, until: number): string =>
  json.toString('utf8', from, Math.min(until, from + shownBytes))

/** Undefined: cannot be parsed, or has too many values. */
const parseWithin = (text: Text, from: number, until: number): { readonly value: unknown } | undefined => {
  try {
    const found = parseCounted(text.json.subarray(from, until), valuesAtOnce)
    text.parsed += found.values
    return found
  } catch (error) {
    if (error instanceof JsonTooLarge || error instanceof SyntaxError) return undefined
    throw error
  }
}

/** The parsed value, or the beginning of its text. */
const parsePart = (text: Text, from: number, until: number): unknown => {
  const found = parseWithin(text, from, until)
  return found ? found.value : shown(text, from, until)
}

interface PartPlace {
  readonly text: Text
  readonly from: number
  readonly until: number
}
const places = new WeakMap<object, PartPlace>()

/** A long list in a large text: each element is parsed when it is read. */
export class JsonList implements Iterable<unknown> {
  readonly #place: PartPlace
  constructor(place: PartPlace) {
    this.#place = place
  }

  /** Yields the elements. From a malformed element on, yields the rest as one text. */
  *[Symbol.iterator](): Iterator<unknown> {
    const { text, from, until } = this.#place
    const { json } = text
    for (let at = skipSpace(json, from + 1); at < until - 1; ) {
      const end = endOfValue(text, at)
      const next = skipSpace(json, end)
      const isLast = next === until - 1
      if (end === at || (!isLast && json[next] !== comma)) return yield shown(text, at, until - 1)
      yield openPart(text, at, end)
      at = isLast ? next : skipSpace(json, next + 1)
    }
  }

  /** Elements until this many values have been parsed. */
  *within(values: number): Iterable<unknown> {
    const { text } = this.#place
    const before = text.parsed
    for (const element of this) {
      yield element
      if (text.parsed - before >= values) return
    }
  }

  toJSON(): string {
    return shown(this.#place.text, this.#place.from, this.#place.until)
  }
}

/** Undefined: not an object, or too many members. */
const openObject = (text: Text, from: number, until: number): object | undefined => {
  const { json } = text
  const members: [string, unknown][] = []
  const before = text.parsed
  for (let at = skipSpace(json, from + 1); at < until - 1; ) {
    const keyEnd = json[at] === quote ? endOfText(json, at) : at
    const key = keyEnd > at ? parsePart(text, at, keyEnd) : undefined
    const separator = skipSpace(json, keyEnd)
    const value = skipSpace(json, separator + 1)
    const end = endOfValue(text, value)
    const next = skipSpace(json, end)
    const isLast = next === until - 1
    if (typeof key !== 'string' || json[separator] !== colon || end === value || members.length === maxMembers)
      return undefined
    if (!isLast && json[next] !== comma) return undefined
    if (text.parsed - before > valuesAtOnce) return undefined
    members.push([key, openPart(text, value, end)])
    at = isLast ? next : skipSpace(json, next + 1)
  }
  return Object.fromEntries(members)
}

const openPart = (text: Text, from: number, until: number): unknown => {
  if (!text.large.has(from)) return parsePart(text, from, until)
  const place = { text, from, until }
  const opened = text.json[from] === openBracket ? new JsonList(place) : openObject(text, from, until)
  if (opened === undefined) return shown(text, from, until)
  places.set(opened, place)
  return opened
}

/** The value with all its lists parsed; if it has more than `valuesAtOnce`, unchanged. */
export const parsedWhole = (value: unknown): unknown => {
  const place = typeof value === 'object' && value !== null ? places.get(value) : undefined
  const found = place && parseWithin(place.text, place.from, place.until)
  return found ? found.value : value
}

/** True if the value has lists that are not parsed yet. */
export const isPartial = (value: unknown): boolean => typeof value === 'object' && value !== null && places.has(value)

export interface OpenJson {
  readonly value: unknown
  /** Values parsed so far; grows while long lists are read. */
  parsed(): number
}

/**
 * Opens JSON whose long lists are `JsonList`s, parsed element by element, so that no step takes more than
 * `valuesAtOnce` values. A malformed part becomes its text and does not affect others. A text with fewer values is
 * parsed as one.
 * @throws SyntaxError if it is not JSON, JsonTooLarge if it has more than `maxValues`
 */
export function openJson(json: Buffer, maxValues: number): OpenJson {
  // Each value takes at least one byte.
  if (json.length <= valuesAtOnce) return parseWhole(json, maxValues)
  const { large, values } = locateLarge(json, maxValues)
  if (values <= valuesAtOnce) return parseWhole(json, maxValues)
  const text: Text = { json, large, parsed: 0 }
  const from = skipSpace(json, 0)
  const end = endOfValue(text, from)
  if (skipSpace(json, end) !== json.length) throw unbalanced()
  const value = openPart(text, from, end)
  return { value, parsed: () => text.parsed }
}

const parseWhole = (json: Buffer, maxValues: number): OpenJson => {
  const { value, values } = parseCounted(json, maxValues)
  return { value, parsed: () => values }
}
