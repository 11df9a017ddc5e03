import type { CountryCode } from 'libphonenumber-js/max'
import { findPhone, readPhone } from '#shared/kernel/phone-reader.ts'
import { linkedNumber, plainDigits } from '#shared/kernel/phone-text.ts'

/** A number written with blanks has at most this many parts. */
const partsOfNumber = 7
/** Fewer digits are house numbers, ages, list positions. */
const leastDigits = 8
/** A number may come after at most this many texts without digits on its line. */
const namesOfLine = 20

const hasDigits = (text: string, least: number): boolean => {
  let count = 0
  for (const _ of text.matchAll(/\p{Nd}/gu)) {
    count += 1
    if (count === least) return true
  }
  return false
}
const digitsIn = (text: string): number => text.replace(/\D+/g, '').length

/** Parts of a word that may belong to a number. An empty text separates numbers. */
function* piecesOf(word: string): Generator<string> {
  if (linkedNumber(word) !== undefined) {
    yield ''
    yield word
    yield ''
    return
  }
  if (word.includes('@')) {
    yield ''
    return
  }
  for (const part of word.split(/[/|]+/)) {
    // `1)` numbers a line and is not part of a phone number.
    for (const [found] of part.replace(/^\d{1,3}\)/, 'x').matchAll(/[+(]?\d[\d().\-+]*|[\p{L}:]+/gu))
      yield /\d/.test(found) ? found : ''
    if (part !== word) yield ''
  }
}

/** The search for numbers among words ends after this many failures in a line. */
const triesOfLine = 6

/** Yields the numbers among a text's words, and what has as many digits but is not one. */
function* numbersAmong(text: string, country: CountryCode): Generator<string> {
  let parts: string[] = []
  let tries = triesOfLine
  /** Uses up a try if it is not a number. */
  const tryNumber = (one: string, hasToBeCertain: boolean): boolean => {
    if (tries === 0 || digitsIn(one) < leastDigits) return false
    const found = findPhone(one, country)
    const isOne = found !== undefined && (found.isCertain || !hasToBeCertain)
    if (!isOne) tries -= 1
    return isOne
  }
  /** Returns the number of leading parts that form a number; 0: none. */
  const tryAtFront = (): number => {
    for (let count = 1; count <= Math.min(parts.length, partsOfNumber); count += 1) {
      const one = parts.slice(0, count).join(' ')
      if (digitsIn(one) > 16) break
      if (tryNumber(one, true)) return count
    }
    return tryNumber(parts[0] ?? '', false) ? 1 : 0
  }
  function* take(rest: number): Generator<string> {
    while (parts.length > rest) {
      const isWhole = rest === 0 && parts.length <= partsOfNumber && tryNumber(parts.join(' '), false)
      const count = isWhole ? parts.length : tryAtFront()
      const number = parts.slice(0, Math.max(1, count)).join(' ')
      parts = parts.slice(Math.max(1, count))
      if (count || digitsIn(number) >= leastDigits) yield number
    }
  }
  for (const [word] of text.matchAll(/\S{1,200}/g))
    for (const piece of piecesOf(word)) {
      if (piece !== '') parts.push(piece)
      yield* take(piece === '' ? 0 : partsOfNumber)
    }
  yield* take(0)
}

/**
 * The longest text in which names may stand beside numbers. In a longer one every word with enough digits is yielded.
 */
const textMaxChars = 2000
const charsAtOnce = 64 * 1024

/** @returns undefined after much text without a number, so that the caller can yield */
function* numbersInLongText(text: string): Generator<string | undefined> {
  let pause = charsAtOnce
  for (const match of text.matchAll(/[^\s,;/|]{1,200}/g)) {
    if (match.index >= pause) {
      pause = match.index + charsAtOnce
      yield undefined
    }
    if (match[0].length >= leastDigits && hasDigits(match[0], leastDigits)) yield match[0]
  }
}

/** Yields the numbers in a text, with or without names and marks; the text itself if there is none. */
function* numbersIn(text: string, country: CountryCode): Generator<string> {
  const whole = text.trim()
  const plain = whole.length <= 200 ? plainDigits(whole).replace(/^\d{1,3}(?:\)\s*|\.\s+)(?=[+(\d])/, '') : ''
  if (plain !== '' && readPhone(plain, country) !== undefined) {
    yield plain
    return
  }
  let isAny = false
  if (hasDigits(whole, leastDigits))
    for (const one of numbersAmong(/[^\0-\x7e]/.test(whole) ? plainDigits(whole) : whole, country)) {
      isAny = true
      yield one
    }
  if (!isAny) yield whole
}

/**
 * Splits at single-character separators. A regular expression over a run of several megabytes with `+` would overflow
 * the stack.
 */
function* piecesBetween(text: string, separator: RegExp): Generator<string> {
  let from = 0
  for (const { index } of text.matchAll(separator)) {
    if (index > from) yield text.slice(from, index)
    from = index + 1
  }
  if (from < text.length) yield text.slice(from)
}

/**
 * Splits pasted text into numbers: one a line, with or without a name, or separated by commas, semicolons, tabs,
 * blanks, `/` or `1)`. A text without a number is yielded as it is. Undefined: the caller should yield to the event
 * loop.
 */
export function* splitNumbers(text: string, country: CountryCode): Generator<string | undefined> {
  for (const line of piecesBetween(text, /[\n\r]/g)) {
    let hasNumber = false
    let names: string[] = []
    for (const match of piecesBetween(line, /[,;\t]/g)) {
      if (match.length > textMaxChars) {
        yield* numbersInLongText(match)
        continue
      }
      const part = match.trim()
      if (part === '') continue
      if (!/\p{Nd}/u.test(part)) {
        // A name beside a number is dropped.
        if (!hasNumber) names.push(part)
        if (names.length < namesOfLine) continue
        yield* names
        names = []
        continue
      }
      for (const one of numbersIn(part, country)) {
        if (readPhone(one, country) !== undefined) {
          hasNumber = true
          names = []
        }
        yield one
      }
    }
    yield* names
  }
}

/** The first number in cells that may contain several, words, or none. */
export function firstPhone(
  cells: readonly string[],
  country: CountryCode,
): { phone: string; text: string } | undefined {
  for (const cell of cells) {
    if (!hasDigits(cell.slice(0, 1000), 6)) continue
    let looked = 0
    for (const text of numbersIn(cell.slice(0, 1000), country)) {
      const phone = readPhone(text, country)
      if (phone !== undefined) return { phone, text }
      looked += 1
      if (looked === 10) break
    }
  }
  return undefined
}
