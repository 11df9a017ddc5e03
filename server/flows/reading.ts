import type { FlowStep } from '#shared/flow-turn.ts'
import type { FlowVariables } from '#shared/flow-variables.ts'
import { type FlowWord, type FlowWords, flowWordOf } from '#shared/flow-words.ts'

/**
 * What a message is to a session: a word that counts at any time, an answer, or nothing: a session that waits for a time
 * goes on then, and what is written meanwhile is read by nobody but people.
 */
export const readingOf = (
  { isTimed }: { readonly isTimed: boolean },
  { text, isText }: { readonly text: string; readonly isText: boolean },
  words: FlowWords,
): FlowWord | 'answer' | 'unread' => (isText ? flowWordOf(text, words) : undefined) ?? (isTimed ? 'unread' : 'answer')

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
