import { fold } from '#shared/kernel/fold.ts'
import { optOutWordMaxChars } from '#shared/opt-outs/api.ts'

/** Of an organization that chose none. */
export const defaultStopWords = ['BAJA', 'STOP', 'DESUSCRIBIR', 'UNSUBSCRIBE']
export const defaultResumeWords = ['ALTA', 'START']

/** What is compared: case, accents, punctuation around it and doubled spaces do not count. */
export const comparable = (text: string): string =>
  fold(text.normalize('NFC'))
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()

/** Room for what does not count around the longest word. */
const maxMessageChars = optOutWordMaxChars * 2

/** Whether a message is short enough to be one of an organization's words, whichever they are. Pure. */
export const canBeKeyword = (text: string): boolean => text.length <= maxMessageChars

/** Says what a customer asks for with a message of one of these words alone; undefined: something else. */
export type KeywordReader = (text: string) => 'stop' | 'resume' | undefined

/** Reads with an organization's words, made comparable once for all the messages that come together. */
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
