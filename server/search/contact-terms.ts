import { fold } from '#shared/fold.ts'
import { digitsOf, phoneKey } from '#shared/phone.ts'
import { isEmoji, wordsIn, wordsOf } from './words.ts'

const maxWords = 40
const maxChars = 40
/** A part of a number is so many digits at least; fewer would stand for a tenth of all. */
const minDigits = 3
const maxDigits = 20
/** Before the end of a number. No word has it. */
const numberSign = '#'

const shorten = (word: string): string => [...word].slice(0, maxChars).join('')
const isNumber = (word: string): boolean => /^\d+$/.test(word) && word.length >= minDigits && word.length <= maxDigits

/**
 * Under what a contact is found, out of its names and numbers: each word, and each end of a number, whose beginnings are
 * all parts of it. Emojis of a name are none: nobody types them to find somebody.
 */
export const contactTermsOf = (names: string): string[] => {
  const terms = new Set<string>()
  for (const word of wordsIn(names).slice(0, maxWords)) {
    if (isEmoji(word)) continue
    if (!isNumber(word)) terms.add(shorten(word))
    else for (let i = 0; i <= word.length - minDigits; i += 1) terms.add(`${numberSign}${word.slice(i)}`)
  }
  return [...terms]
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

/** Beginnings of terms, one of which a contact must have. */
export type Needle = readonly string[]

const needleOfWord = (word: string): Needle => [isNumber(word) ? `${numberSign}${word}` : shorten(word)]

/**
 * What a contact must have to be meant by what somebody typed, all of it: numbers in any spelling, whole or in part,
 * and beginnings of words. `home`: calling code of the country people leave out. None: nothing of it is a word.
 */
export const needlesOf = (typed: string, home: string = argentina): Needle[] => {
  const numbers: Needle[] = []
  const rest = fold(typed).replace(numberTyped, run => {
    if (digitsOf(run).length < minNumberDigits) return run
    numbers.push(spellingsOf(run, home).map(digits => `${numberSign}${digits}`))
    return ' '
  })
  const words = wordsOf(rest).filter(word => !isEmoji(word))
  return [...numbers, ...words.map(needleOfWord)]
}
