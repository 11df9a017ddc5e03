import type { FlowSettings } from '#shared/flows/settings.ts'
import { plainText } from '#shared/flows/triggers/triggers.ts'

/** Words a customer in a flow can send at any time: to restart, to leave, to get a person. */
export type FlowWord = 'restart' | 'leave' | 'person'
/** The words by their normalized form. */
export type FlowWords = ReadonlyMap<string, FlowWord>

const longest = 80
const bare = (text: string): string => plainText(text).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

/** An organization's words with their meanings; a word in two lists has the meaning of the first. */
export function flowWordsOf(
  settings: Pick<FlowSettings, 'restartWords' | 'leaveWords' | 'personWords'>,
): ReadonlyMap<string, FlowWord> {
  const words = new Map<string, FlowWord>()
  const lists = { person: settings.personWords, leave: settings.leaveWords, restart: settings.restartWords }
  for (const [means, list] of Object.entries(lists))
    for (const word of list) if (!words.has(bare(word))) words.set(bare(word), means as FlowWord)
  return words
}

/** A word that occurs twice, and its position; undefined: all are distinct. */
export function wordTwice(
  settings: Pick<FlowSettings, 'restartWords' | 'leaveWords' | 'personWords'>,
): { readonly field: string; readonly word: string } | undefined {
  const seen = new Set<string>()
  for (const list of ['restartWords', 'leaveWords', 'personWords'] as const)
    for (const [i, word] of settings[list].entries()) {
      if (seen.has(bare(word))) return { field: `${list}.${i}`, word }
      seen.add(bare(word))
    }
  return undefined
}

/**
 * Undefined: it is none of them. Only a message of that word alone counts, regardless of case, accents and punctuation.
 */
export const flowWordOf = (text: string, words: FlowWords): FlowWord | undefined =>
  text.length > longest ? undefined : words.get(bare(text))

/** The customer's word for a meaning; undefined: there is none. */
export const wordFor = (wanted: FlowWord, words: FlowWords): string | undefined =>
  [...words].find(([, means]) => means === wanted)?.[0]
