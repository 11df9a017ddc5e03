import { fold } from '#shared/fold.ts'
import { optOutWordMaxChars } from '#shared/opt-outs.ts'

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

/** What a customer asks for with a message of one of these words alone; undefined: something else. Pure. */
export function readKeyword(
  text: string,
  { stopWords, resumeWords }: { stopWords: readonly string[]; resumeWords: readonly string[] },
): 'stop' | 'resume' | undefined {
  if (!canBeKeyword(text)) return undefined
  const said = comparable(text)
  if (said === '') return undefined
  if (stopWords.some(word => comparable(word) === said)) return 'stop'
  return resumeWords.some(word => comparable(word) === said) ? 'resume' : undefined
}
