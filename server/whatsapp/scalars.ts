import { goodText } from '#server/platform/text/good-text.ts'
import { JsonList, parsedWhole } from '#server/platform/text/json-parts.ts'

/** Reads single values from untrusted JSON: what does not fit is `undefined`, never an exception. */
export type Json = Readonly<Record<string, unknown>>

export const asObject = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && longList(value) === undefined ? (value as Json) : undefined

export const asList = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** A list that may be too long to parse at once; undefined: not a list. */
export const longList = (value: unknown): Iterable<unknown> | undefined =>
  Array.isArray(value) || value instanceof JsonList ? value : undefined

const shownChars = 200

/** Shows a value of somebody's JSON in an error. `String` fails on an object with a member called `toString`. */
export const shownValue = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value).slice(0, shownChars) : String(value)

/** Non-empty text: Meta sends `""` for absent values. Identifiers may be numbers. */
export const asText = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value === '' ? undefined : value
  return typeof value === 'number' && Number.isFinite(value) ? String(value) : undefined
}

export const asNumber = (value: unknown): number | undefined => {
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined
}

export const maxIdChars = 512
/** An identifier of Meta: printable and at most `maxIdChars`; otherwise undefined. */
export const asId = (value: unknown): string | undefined => {
  const text = asText(value)
  return text !== undefined && text.length <= maxIdChars && /^[\x21-\x7e]+$/.test(text) ? text : undefined
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
const unprintable = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f]/
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
const unprintables = /[\u0001-\u0008\u000b\u000c\u000e-\u001f\u007f]/g
/** Line breaks, control characters and marks that change text direction, which could affect the text around a name. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
const lineBreakers = /[\u0001-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must go
const lineBreaker = /[\u0001-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/

/** Never splits a surrogate pair. */
const cut = (text: string, maxChars: number): string =>
  text.length <= maxChars
    ? text
    : text
        .slice(0, maxChars)
        .toWellFormed()
        .replace(/\ufffd$/, '')

/** WhatsApp's own limit is lower. */
const maxTextChars = 65_536
/** A text is cut to this multiple of its limit before it is cleaned, which bounds the work. */
const looseness = 4

/** Text with its line breaks, without NUL, control characters and unpaired surrogates. Empty if absent. */
export const cleanText = (value: unknown, maxChars = maxTextChars): string => {
  let text = goodText(cut(asText(value) ?? '', maxChars * looseness))
  if (unprintable.test(text)) text = text.replace(unprintables, '')
  return cut(text, maxChars)
}

/** A name on one line; undefined: nothing visible is left. */
export const cleanLine = (value: unknown, maxChars = 200): string | undefined => {
  const given = asText(value)
  if (given === undefined) return undefined
  let text = goodText(cut(given.trimStart(), maxChars * looseness))
  if (lineBreaker.test(text)) text = text.replace(lineBreakers, ' ').replace(/ {2,}/g, ' ')
  text = cut(text.trim(), maxChars).trim()
  return text === '' ? undefined : text
}

const maxAddressChars = 2000
/** A customer's link, which members may open: http or https only, otherwise undefined. */
export const webAddress = (value: unknown): string | undefined => {
  const text = cleanLine(value, maxAddressChars)
  const url = text === undefined ? null : URL.parse(text)
  return url && ['http:', 'https:'].includes(url.protocol) ? text : undefined
}

/** WhatsApp began in 2009; a time outside 2009 to 2100 is in another unit, or wrong. */
const earliestSeconds = 1_230_768_000
const latestSeconds = 4_102_444_800
const dayMs = 86_400_000

/**
 * Converts Meta's timestamp (Unix seconds as text or number; milliseconds are tolerated) to ISO 8601 UTC. Undefined:
 * invalid, or more than a day after `notAfterMs`, because a time in the future would keep a customer's window open.
 */
export const asTime = (value: unknown, notAfterMs = Number.POSITIVE_INFINITY): string | undefined => {
  let seconds = asNumber(value)
  if (seconds === undefined) return undefined
  if (seconds >= earliestSeconds * 1000) seconds = Math.trunc(seconds / 1000)
  if (seconds < earliestSeconds || seconds > latestSeconds || seconds * 1000 > notAfterMs + dayMs) return undefined
  return new Date(Math.trunc(seconds) * 1000).toISOString()
}

const maxRawBytes = 16 * 1024
/** The JSON of something not understood, cut to 16 KB, to show its details. Empty if it cannot be serialized. */
export const rawJson = (value: unknown): string => {
  let json: string
  try {
    json = JSON.stringify(parsedWhole(value)) ?? ''
  } catch (cause) {
    // Nested deeper than the stack; the journal has the bytes.
    if (cause instanceof RangeError) return ''
    throw cause
  }
  if (Buffer.byteLength(json) <= maxRawBytes) return json
  return Buffer.from(json)
    .subarray(0, maxRawBytes)
    .toString('utf8')
    .replace(/\ufffd{1,3}$/, '')
}
