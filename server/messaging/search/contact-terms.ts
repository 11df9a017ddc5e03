import { fold } from '#shared/kernel/fold.ts'
import { digitsOf, phoneKey } from '#shared/kernel/phone.ts'
import { isEmoji, wordsIn, wordsOf } from './words.ts'

const maxWords = 40
const maxChars = 40
/** A part of a number is so many digits at least; fewer would stand for a tenth of all. */
const minDigits = 3
const maxDigits = 20
/** Before a part of a number. No word has it. */
const numberSign = '#'

const charsOf = (word: string): string[] => [...word].slice(0, maxChars)
const isNumber = (word: string): boolean => /^\d+$/.test(word) && word.length >= minDigits && word.length <= maxDigits

/** By what a contact is told apart: its words and its numbers, each behind a space. */
export interface ContactWords {
  readonly words: string
  readonly numbers: string
}

/** Out of its names and numbers, folded. Emojis of a name are none: nobody types them to find somebody. */
export const contactWordsOf = (names: string): ContactWords => {
  let [words, numbers] = ['', '']
  for (const word of wordsIn(names).slice(0, maxWords)) {
    if (isNumber(word)) numbers += ` ${word}`
    else if (!isEmoji(word)) words += ` ${charsOf(word).join('')}`
  }
  return { words, numbers }
}

/** A beginning of a word that is longer is sought as this much of it, and then looked at. */
const maxTermChars = 8
/** A number stands under every so many of its digits; longer parts are sought as several of them, and then looked at. */
const termDigits = minDigits
/** So many tell a number from nearly all others; more would be numbers that begin alike. */
const maxTermsOfPart = 2
/** From one to the one before it: of the last digits hardly two are alike, those before them of many are. */
const termStep = termDigits - 1

/** No letter and no digit, and to the engines part of a term. */
const joint = '·'
const numberTerm = (digits: string): string => `${joint}${digits}`

/** A term as one organization's. */
export const ownTerm = (orgKey: number, term: string): string => `${orgKey}${joint}${term}`

/** What a contact is indexed under: each beginning of its words, and each three digits in a row of its numbers. */
export const contactTermsOf = ({ words, numbers }: ContactWords): string[] => {
  const terms = new Set<string>()
  for (const word of words.split(' ')) {
    const chars = [...word].slice(0, maxTermChars)
    for (let end = 1; end <= chars.length; end += 1) terms.add(chars.slice(0, end).join(''))
  }
  for (const number of numbers.split(' '))
    for (let at = 0; at <= number.length - termDigits; at += 1) terms.add(numberTerm(number.slice(at, at + termDigits)))
  return [...terms]
}

/** What a contact of these names and numbers is in the index of its organization. */
export const indexedAs = (names: string, orgKey: number): ContactWords & { readonly terms: string } => {
  const known = contactWordsOf(names)
  const terms = contactTermsOf(known).map(term => ownTerm(orgKey, term))
  return { ...known, terms: terms.join(' ') }
}

const argentina = '54'
const numberTyped = /\+?\d[\d\s().\-/]*\d/g
/** A row of digits and marks with so many digits is one number; fewer may be a house or a year. */
const minNumberDigits = 6

/** Every beginning that a typed number, whole or in part, can have in a number as WhatsApp spells it. */
const spellingsOf = (typed: string, home: string): string[] => {
  const digits = digitsOf(typed)
  const national = digits.replace(/^0+/, '')
  const guesses = [digits, national, phoneKey(digits), phoneKey(home + national), phoneKey(home + digits)]
  if (digits.startsWith(argentina) && digits[2] !== '9') guesses.push(`549${digits.slice(2)}`)
  if (digits.startsWith('52') && digits[2] !== '1') guesses.push(`521${digits.slice(2)}`)
  if (/^55\d\d[6-9]/.test(digits)) guesses.push(`${digits.slice(0, 4)}9${digits.slice(4)}`)
  // In Argentina a mobile is written with its 15 where the area is left out.
  if (home === argentina && /^15\d{6,8}$/.test(national)) guesses.push(national.slice(2))
  return [...new Set(guesses)].filter(guess => guess.length >= minDigits)
}

/** Beginnings of words, or parts of numbers behind the sign for one: one of them a contact must have. */
export type Needle = readonly string[]

const needleOfWord = (word: string): Needle => [isNumber(word) ? `${numberSign}${word}` : charsOf(word).join('')]

/** A part of another says as much as both. */
const withoutLonger = (parts: readonly string[]): string[] =>
  parts.filter(part => !parts.some(other => other !== part && part.includes(other)))

/**
 * What a contact must have to be meant by what somebody typed, all of it: numbers in any spelling, whole or in part,
 * and beginnings of words. `home`: calling code of the country people leave out. None: nothing of it is a word.
 */
export const needlesOf = (typed: string, home: string = argentina): Needle[] => {
  const numbers: Needle[] = []
  const rest = fold(typed).replace(numberTyped, run => {
    if (digitsOf(run).length < minNumberDigits) return run
    numbers.push(withoutLonger(spellingsOf(run, home)).map(digits => `${numberSign}${digits}`))
    return ' '
  })
  const words = wordsOf(rest).filter(word => !isEmoji(word))
  return [...numbers, ...words.map(needleOfWord)]
}

const digitsIn = (start: string): string | undefined =>
  start.startsWith(numberSign) ? start.slice(numberSign.length) : undefined

/** The terms of whoever has it, all of them; the ends of a number first, where numbers differ most. */
export const termsMeant = (start: string): string[] => {
  const digits = digitsIn(start)
  if (digits === undefined) return [[...start].slice(0, maxTermChars).join('')]
  const terms: string[] = []
  for (let end = digits.length; end > 0 && terms.length < maxTermsOfPart; end -= termStep) {
    const from = Math.max(end - termDigits, 0)
    terms.push(numberTerm(digits.slice(from, from + termDigits)))
  }
  return [...new Set(terms)]
}

/** Whether whoever has the terms of it has it; else they have to be looked at. */
export const isFoundByTerms = (start: string): boolean =>
  (digitsIn(start)?.length ?? 0) <= termDigits && [...start].length <= maxTermChars

/** What stands in the words or in the numbers of whoever has it. */
export const partMeant = (start: string): { readonly column: keyof ContactWords; readonly text: string } => {
  const digits = digitsIn(start)
  return digits === undefined ? { column: 'words', text: ` ${start}` } : { column: 'numbers', text: digits }
}
