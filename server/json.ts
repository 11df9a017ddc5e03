/** What a JSON text holds, counted without parsing it. */
export interface JsonSize {
  /** Values at most: every bracket opens one and every comma brings another. */
  readonly values: number
  readonly depth: number
  /** Where numbers begin and end that have more digits than a JavaScript number keeps, as pairs. */
  readonly longIntegers: readonly number[]
}

export const codeOf = (char: string) => char.charCodeAt(0)
export const quote = codeOf('"')
const backslash = codeOf('\\')
const comma = codeOf(',')
export const openBrace = codeOf('{')
export const openBracket = codeOf('[')
export const closeBrace = codeOf('}')
export const closeBracket = codeOf(']')
const minus = codeOf('-')
const zero = codeOf('0')
const isDigit = (byte: number | undefined) => byte !== undefined && byte >= 48 && byte <= 57
const numberParts = new Set([...'.eE+-'].map(codeOf))
const isPartOfNumber = (byte: number | undefined) => byte !== undefined && numberParts.has(byte)

/** Fewer digits always fit. */
const longDigits = 16

/** The end of the string that opens at `from`: the place after its closing quote, beyond the end when it has none. */
export const endOfText = (json: Uint8Array, from: number): number => {
  let at = from + 1
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
  return at + 1
}

/**
 * Counts what a JSON text would become, in one pass over its bytes and without memory of its own: parsing costs
 * ten times as much, and what is too large to parse in one turn must be known before. The text need not be valid.
 * @param maxValues where counting ends: who refuses more need not know how many more.
 */
export function measureJson(json: Uint8Array, maxValues = Number.POSITIVE_INFINITY): JsonSize {
  const longIntegers: number[] = []
  let values = 1
  let depth = 0
  let deepest = 0
  for (let at = 0; at < json.length && values <= maxValues; ) {
    const byte = json[at]
    if (byte === quote) at = endOfText(json, at)
    else if (isDigit(byte)) {
      const from = json[at - 1] === minus ? at - 1 : at
      while (isDigit(json[at])) at += 1
      if (at - from >= longDigits && !isPartOfNumber(json[from - 1]) && !isPartOfNumber(json[at]))
        longIntegers.push(from, at)
    } else {
      if (byte === comma) values += 1
      else if (byte === openBrace || byte === openBracket) {
        values += 1
        depth += 1
        if (depth > deepest) deepest = depth
      } else if (byte === closeBrace || byte === closeBracket) depth -= 1
      at += 1
    }
  }
  return { values, depth: deepest, longIntegers }
}

/** The text holds more values than may be parsed in one turn of the event loop. */
export class JsonTooLarge extends Error {
  override readonly name = 'JsonTooLarge'
}

const isUnsafe = (json: Buffer, from: number, until: number): boolean => {
  const digits = json[from] === minus ? until - from - 1 : until - from
  const isZero = json[until - digits] === zero
  return !isZero && (digits > longDigits || !Number.isSafeInteger(Number(json.toString('latin1', from, until))))
}

/** The same JSON with these numbers between quotes. */
const quoteIntegers = (json: Buffer, places: readonly number[]): Buffer => {
  if (places.length === 0) return json
  const quoted = Buffer.alloc(json.length + places.length)
  let length = 0
  let done = 0
  const take = (until: number) => {
    for (; done < until; done += 1) quoted[length++] = json[done] as number
  }
  for (let i = 0; i < places.length; i += 2) {
    const from = places[i] as number
    const until = places[i + 1] as number
    if (!isUnsafe(json, from, until)) continue
    take(from)
    quoted[length++] = quote
    take(until)
    quoted[length++] = quote
  }
  take(json.length)
  return quoted.subarray(0, length)
}

/** @throws JsonTooLarge when the text holds more than `maxValues`. */
export const measureWithin = (json: Buffer, maxValues: number): JsonSize => {
  const size = measureJson(json, maxValues)
  if (size.values > maxValues) throw new JsonTooLarge(`more than ${maxValues} values`)
  return size
}

/** `parseExact`, and how many values it was at most. */
export function parseCounted(json: Buffer, maxValues: number): { readonly value: unknown; readonly values: number } {
  const { values, longIntegers } = measureWithin(json, maxValues)
  return { value: JSON.parse(quoteIntegers(json, longIntegers).toString('utf8')), values }
}

/**
 * Parses JSON of at most `maxValues` values; integers beyond 2^53 become text with all their digits, because Meta's
 * template ids exceed it.
 * @throws SyntaxError when it is no JSON, JsonTooLarge when it holds more.
 */
export const parseExact = (json: Buffer, maxValues: number): unknown => parseCounted(json, maxValues).value
