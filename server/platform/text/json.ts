/** Contents of a JSON text, counted without parsing it. */
interface JsonSize {
  /** Upper limit of the values: one for each opening bracket and each comma. */
  readonly values: number
  readonly depth: number
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

/** Integers with fewer digits always fit into a number. */
const longDigits = 16
const manyDigits = /\d{16}/
/** Bytes of a string that are read one by one before `indexOf` searches for its end. */
const shortText = 64

/** The place after the closing quote of the string that opens at `from`; beyond the end if it has none. */
export const endOfText = (json: Uint8Array, from: number): number => {
  let at = from + 1
  for (;;) {
    const stop = at + shortText
    while (at < stop && at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1
    if (at >= json.length || json[at] === quote) return at + 1
    const found = json.indexOf(quote, at)
    if (found < 0) return json.length + 1
    let escapes = 0
    while (found - escapes > at && json[found - escapes - 1] === backslash) escapes += 1
    at = found + (escapes % 2)
    if (escapes % 2 === 0) return found + 1
  }
}

/** The bytes that structure JSON; 0: any other byte. */
export const structural = new Uint8Array(256)
for (const byte of [quote, comma, openBrace, openBracket, closeBrace, closeBracket]) structural[byte] = byte

/**
 * Counts the values of a JSON text in one pass over its bytes. Parsing costs ten times as much, and a text that is too
 * large to parse in one turn must be recognized before. The text need not be valid.
 * @param maxValues counting stops here
 */
export function measureJson(json: Uint8Array, maxValues = Number.POSITIVE_INFINITY): JsonSize {
  let values = 1
  let depth = 0
  let deepest = 0
  for (let at = 0; at < json.length && values <= maxValues; ) {
    const byte = structural[json[at] as number]
    if (byte === quote) {
      at = endOfText(json, at)
      continue
    }
    at += 1
    if (byte === 0) continue
    if (byte === comma) values += 1
    else if (byte === openBrace || byte === openBracket) {
      values += 1
      depth += 1
      if (depth > deepest) deepest = depth
    } else depth -= 1
  }
  return { values, depth: deepest }
}

/** Begin and end of integers that may exceed a JavaScript number, as pairs. */
const findLongIntegers = (json: Uint8Array): number[] => {
  const found: number[] = []
  for (let at = 0; at < json.length; ) {
    const byte = json[at]
    if (byte === quote) at = endOfText(json, at)
    else if (isDigit(byte)) {
      const from = json[at - 1] === minus ? at - 1 : at
      while (isDigit(json[at])) at += 1
      if (at - from >= longDigits && !isPartOfNumber(json[from - 1]) && !isPartOfNumber(json[at])) found.push(from, at)
    } else at += 1
  }
  return found
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

/** The JSON with these numbers in quotes. */
const quoteIntegers = (json: Buffer, places: readonly number[]): Buffer => {
  if (places.length === 0) return json
  const quoted = Buffer.allocUnsafe(json.length + places.length)
  let length = 0
  let done = 0
  const take = (until: number) => {
    length += json.copy(quoted, length, done, until)
    done = until
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

export const tooLarge = (maxValues: number) => new JsonTooLarge(`more than ${maxValues} values`)

/** `parseExact`, with the upper limit of its values. */
export function parseCounted(json: Buffer, maxValues: number): { readonly value: unknown; readonly values: number } {
  const { values } = measureJson(json, maxValues)
  if (values > maxValues) throw tooLarge(maxValues)
  return { value: JSON.parse(quoteIntegers(json, findLongIntegers(json)).toString('utf8')), values }
}

/**
 * Parses JSON of at most `maxValues` values; integers beyond 2^53 become text with all their digits, because Meta's
 * template ids exceed it.
 * @throws SyntaxError when it is no JSON, JsonTooLarge when it holds more.
 */
export const parseExact = (json: Buffer, maxValues: number): unknown => {
  // Each value takes at least one byte, so a short text needs no count; without 16 digits in a row nothing is
  // rewritten.
  const text = json.length <= maxValues ? json.toString('utf8') : undefined
  return text === undefined || manyDigits.test(text) ? parseCounted(json, maxValues).value : JSON.parse(text)
}
