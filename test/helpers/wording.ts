import { lineOf } from './sources.ts'

/** Mannerisms that confuse readers, and what to write instead. */
const mannerisms: readonly (readonly [words: string, instead: string])[] = [
  ['whoever', 'name them: the caller, the customer, a member'],
  ['the house|of the house', 'the product, the app, this repository'],
  ['what goes to many', 'bulk sends'],
  ['waits? for word', 'an unconfirmed send'],
  ['anew', 'again'],
  ['is over|are over', 'has ended'],
  ['for ever', 'forever, without a limit'],
  ['so many', 'the number, or "at most"'],
  ['the same of', 'likewise for'],
  ['deeds?|fates?', 'action, outcome'],
  ['is told|are told', 'is notified, gets an error, is shown'],
  ['goes on|go on', 'continues'],
  ['brought', 'uploaded, passed'],
  ['sealed|seals?', 'encrypted, encrypts'],
  ['those of these', 'returns the … that'],
]

/** Beginnings of docstrings that have no subject. */
const fragment = /\/\*\*\s+(?:\* )?(?:Of|Likewise|Those of)\b/g

/** Questions as beginnings: the name of what follows usually says the same. */
const question = /\/\*\*\s+(?:\* )?(?:What|How|Which|Who)\b/g

export interface Mannerism {
  readonly line: number
  readonly phrase: string
  readonly instead: string
}

/** Text between backticks is ignored, because it is code. */
export const mannerismsIn = (text: string): Mannerism[] =>
  text.split('\n').flatMap((words, at) =>
    mannerisms.flatMap(([phrases, instead]) =>
      [...words.replace(/`[^`]*`/g, '').matchAll(new RegExp(`\\b(?:${phrases})\\b`, 'gi'))].map(([phrase]) => ({
        line: at + 1,
        phrase: phrase.toLowerCase(),
        instead,
      })),
    ),
  )

const found = (text: string, beginnings: RegExp): Mannerism[] =>
  [...text.matchAll(beginnings)].map(({ 0: phrase, index }) => ({
    line: lineOf(text, index),
    phrase: phrase.replace(/\s+(?:\* )?/, ' '),
    instead: 'a sentence with a subject: "Returns …", "The …", "A …"',
  }))

export const fragmentsIn = (text: string): Mannerism[] => found(text, fragment)
export const questionsIn = (text: string): Mannerism[] => found(text, question)
