import type { FlowVariables } from '#shared/flows/variables.ts'
import type { FlowStep } from '../step/advance-types.ts'
import { type FlowWord, type FlowWords, flowWordOf } from '../step/words.ts'
import type { CustomerMessage } from './customer-message.ts'

/** The largest gap between files that the customer sent together. */
const burstMs = 3000

/**
 * A session reads a message as a word that applies anywhere, as an answer, or not at all, because a session that waits
 * for a time continues at that time. `burst`: a file sent together with the previous one; both are one answer.
 */
export const readingOf = (
  { isTimed, fileAt }: { readonly isTimed: boolean; readonly fileAt?: string | undefined },
  { text, isText, shared, at }: Pick<CustomerMessage, 'text' | 'isText' | 'shared' | 'at'>,
  words: FlowWords,
): FlowWord | 'answer' | 'burst' | 'unread' => {
  const word = isText ? flowWordOf(text, words) : undefined
  if (word) return word
  const isMore = shared?.kind === 'file' && at !== undefined && fileAt !== undefined
  if (isMore && Date.parse(at) - Date.parse(fileAt) <= burstMs) return 'burst'
  return isTimed ? 'unread' : 'answer'
}

/** The first steps of a session, with the message that started it or the variables that a program supplied. */
export const begunBy = <Step extends Pick<FlowStep, 'input' | 'changes'>>(
  steps: readonly Step[],
  text: string,
  variables: FlowVariables = {},
): readonly Step[] => {
  const [first, ...rest] = steps
  if (!first) return steps
  const brought = Object.fromEntries(Object.entries(variables).map(([name, after]) => [name, { before: null, after }]))
  return [{ ...first, input: text || first.input, changes: { ...brought, ...first.changes } }, ...rest]
}
