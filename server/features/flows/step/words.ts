import type { FlowSettings } from '#shared/flows/settings.ts'
import { plainText } from '#shared/flows/triggers.ts'

/** What a customer in a flow may write at any time: to begin again, to leave, to have a person. */
export type FlowWord = 'restart' | 'leave' | 'person'
/** By how they are compared. */
export type FlowWords = ReadonlyMap<string, FlowWord>

const longest = 80
const bare = (text: string): string => plainText(text).replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '')

/** The words of an organization, each with what it means; one that stands in two lists means what the first says. */
export function flowWordsOf(
  settings: Pick<FlowSettings, 'restartWords' | 'leaveWords' | 'personWords'>,
): ReadonlyMap<string, FlowWord> {
  const words = new Map<string, FlowWord>()
  const lists = { person: settings.personWords, leave: settings.leaveWords, restart: settings.restartWords }
  for (const [means, list] of Object.entries(lists))
    for (const word of list) if (!words.has(bare(word))) words.set(bare(word), means as FlowWord)
  return words
}

/** A word that another one is the same as, and where it stands; undefined: each means one thing. */
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

/** Undefined: it is none of them. A message of that word alone counts, whatever its case, accents and punctuation. */
export const flowWordOf = (text: string, words: FlowWords): FlowWord | undefined =>
  text.length > longest ? undefined : words.get(bare(text))

/** What a customer writes who means it; undefined: there is no such word. */
export const wordFor = (wanted: FlowWord, words: FlowWords): string | undefined =>
  [...words].find(([, means]) => means === wanted)?.[0]
