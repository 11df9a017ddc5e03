import { fold } from '#shared/kernel/fold.ts'
import { optOutWordMaxChars } from '#shared/opt-outs/api.ts'

/** The keywords of organizations that chose none. */
export const defaultStopWords = ['BAJA', 'STOP', 'DESUSCRIBIR', 'UNSUBSCRIBE']
export const defaultResumeWords = ['ALTA', 'START']

/** Removes differences of case, accents, punctuation and spaces. */
export const comparable = (text: string): string =>
  fold(text.normalize('NFC'))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** The longest word, with space for ignored characters around it. */
const maxMessageChars = optOutWordMaxChars * 2

/** A longer message is no keyword of any organization. Pure. */
export const canBeKeyword = (text: string): boolean => text.length <= maxMessageChars

/** Returns the request of a message that is only a keyword. Undefined: it is not a keyword. */
type KeywordReader = (text: string) => 'stop' | 'resume' | undefined

/** Normalizes an organization's words once for several messages. */
export function keywordReader(words: { stopWords: readonly string[]; resumeWords: readonly string[] }): KeywordReader {
  const [stop, resume] = [words.stopWords, words.resumeWords].map(list => new Set(list.map(comparable)))
  return text => {
    if (!canBeKeyword(text)) return undefined
    const said = comparable(text)
    if (said === '') return undefined
    if (stop?.has(said)) return 'stop'
    return resume?.has(said) ? 'resume' : undefined
  }
}
