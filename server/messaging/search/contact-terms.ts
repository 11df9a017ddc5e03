import { fold } from '#shared/kernel/fold.ts'
import { digitsOf, phoneKey } from '#shared/kernel/phone.ts'
import { isEmoji, searchWords, wordsIn } from './words.ts'

const maxWords = 40
const maxChars = 40
/** Shorter parts of numbers would match a tenth of all contacts. */
const minDigits = 3
const maxDigits = 20
/** Marks a part of a number. No word contains it. */
const numberSign = '#'

const charsOf = (word: string): string[] => [...word].slice(0, maxChars)
const isNumber = (word: string): boolean => /^\d+$/.test(word) && word.length >= minDigits && word.length <= maxDigits

/** The words and numbers a contact is found by, each preceded by a space. */
interface ContactWords {
  readonly words: string
  readonly numbers: string
}

/** Words and numbers from all names, folded. Emojis are omitted, because nobody types them to find a contact. */
export const contactWordsOf = (names: string): ContactWords => {
  let [words, numbers] = ['', '']
  for (const word of wordsIn(names).slice(0, maxWords)) {
    if (isNumber(word)) numbers += ` ${word}`
    else if (!isEmoji(word)) words += ` ${charsOf(word).join('')}`
  }
  return { words, numbers }
}

/** A longer beginning of a word is searched by this many characters, then compared. */
const maxTermChars = 8
/** Numbers are indexed by every three digits in a row. Longer parts are searched by several of them, then compared. */
const termDigits = minDigits
/** Two terms distinguish a number from nearly all others. More would match common prefixes. */
const maxTermsOfPart = 2
/** Distance between the terms of a number, from its end: last digits differ most. */
const termStep = termDigits - 1

/** Neither letter nor digit, and both engines keep it inside a term. */
const joint = '·'
const numberTerm = (digits: string): string => `${joint}${digits}`

/** The term with the organization's key. */
export const ownTerm = (orgKey: number, term: string): string => `${orgKey}${joint}${term}`

/**
 * The terms under which a contact is indexed: each beginning of its words, and each three digits in a row of its
 * numbers.
 */
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

/** The index row of a contact with these names and numbers. */
export const indexedAs = (names: string, orgKey: number): ContactWords & { readonly terms: string } => {
  const known = contactWordsOf(names)
  const terms = contactTermsOf(known).map(term => ownTerm(orgKey, term))
  return { ...known, terms: terms.join(' ') }
}

const argentina = '54'
const numberTyped = /\+?\d[\d\s().\-/]*\d/g
/** Text with this many digits is a phone number. Fewer may be a house number or a year. */
const minNumberDigits = 6

/** Beginnings that a typed number, or part of one, can have in WhatsApp's spelling. */
const spellingsOf = (typed: string, home: string): string[] => {
  const digits = digitsOf(typed)
  const national = digits.replace(/^0+/, '')
  const guesses = [digits, national, phoneKey(digits), phoneKey(home + national), phoneKey(home + digits)]
  if (digits.startsWith(argentina) && digits[2] !== '9') guesses.push(`549${digits.slice(2)}`)
  if (digits.startsWith('52') && digits[2] !== '1') guesses.push(`521${digits.slice(2)}`)
  if (/^55\d\d[6-9]/.test(digits)) guesses.push(`${digits.slice(0, 4)}9${digits.slice(4)}`)
  // In Argentina, a mobile number without area code is written with a leading 15.
  if (home === argentina && /^15\d{6,8}$/.test(national)) guesses.push(national.slice(2))
  return [...new Set(guesses)].filter(guess => guess.length >= minDigits)
}

/** Beginnings of words, or parts of numbers marked with the sign. A contact must match one of them. */
export type Needle = readonly string[]

const needleOfWord = (word: string): Needle => [isNumber(word) ? `${numberSign}${word}` : charsOf(word).join('')]

/** A part that contains another matches less and is not needed. */
const withoutLonger = (parts: readonly string[]): string[] =>
  parts.filter(part => !parts.some(other => other !== part && part.includes(other)))

/**
 * The terms of a typed text, all of which a contact must match: numbers in any spelling, whole or in part, and
 * beginnings of words. `home`: calling code that people omit. Empty: the text has no word.
 */
export const needlesOf = (typed: string, home: string = argentina): Needle[] => {
  const numbers: Needle[] = []
  const rest = fold(typed).replace(numberTyped, run => {
    if (digitsOf(run).length < minNumberDigits) return run
    numbers.push(withoutLonger(spellingsOf(run, home)).map(digits => `${numberSign}${digits}`))
    return ' '
  })
  const words = searchWords(rest).filter(word => !isEmoji(word))
  return [...numbers, ...words.map(needleOfWord)]
}

const digitsIn = (start: string): string | undefined =>
  start.startsWith(numberSign) ? start.slice(numberSign.length) : undefined

/** The terms that a contact must all have. The end of a number comes first, because numbers differ most there. */
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

/** True: a contact that has the terms matches. False: it has to be compared, because terms are cut. */
export const isFoundByTerms = (start: string): boolean =>
  (digitsIn(start)?.length ?? 0) <= termDigits && [...start].length <= maxTermChars

/** The column in which the text is compared: the contact's words or numbers. */
export const partMeant = (start: string): { readonly column: keyof ContactWords; readonly text: string } => {
  const digits = digitsIn(start)
  return digits === undefined ? { column: 'words', text: ` ${start}` } : { column: 'numbers', text: digits }
}
