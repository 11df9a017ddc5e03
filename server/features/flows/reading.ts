import type { FlowStep } from '#server/features/flows/step/turn.ts'
import { type FlowWord, type FlowWords, flowWordOf } from '#server/features/flows/step/words.ts'
import type { FlowVariables } from '#shared/flows/variables.ts'
import type { Said } from './said.ts'

/** Files that are sent together come so close behind one another. */
const burstMs = 3000

/**
 * What a message is to a session: a word that counts at any time, an answer, or nothing: a session that waits for a time
 * goes on then, and what is written meanwhile is read by nobody but people. `burst`: a file sent together with the one
 * before, with which it is one answer.
 */
export const readingOf = (
  { isTimed, fileAt }: { readonly isTimed: boolean; readonly fileAt?: string | undefined },
  { text, isText, shared, at }: Pick<Said, 'text' | 'isText' | 'shared' | 'at'>,
  words: FlowWords,
): FlowWord | 'answer' | 'burst' | 'unread' => {
  const word = isText ? flowWordOf(text, words) : undefined
  if (word) return word
  const isMore = shared?.kind === 'file' && at !== undefined && fileAt !== undefined
  if (isMore && Date.parse(at) - Date.parse(fileAt) <= burstMs) return 'burst'
  return isTimed ? 'unread' : 'answer'
}

/** The first steps of a session, with what the customer wrote that began it, or what a program brought along. */
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
