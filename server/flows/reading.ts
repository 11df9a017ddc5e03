import { type FlowWord, flowWordOf } from '#shared/flow-words.ts'

/**
 * What a message is to a session: a word that counts at any time, an answer, or nothing: a session that waits for a time
 * goes on then, and what is written meanwhile is read by nobody but people.
 */
export const readingOf = (
  { isTimed }: { readonly isTimed: boolean },
  { text, isText }: { readonly text: string; readonly isText: boolean },
): FlowWord | 'answer' | 'unread' => (isText ? flowWordOf(text) : undefined) ?? (isTimed ? 'unread' : 'answer')

/** The first steps of a session, with what the customer wrote that began it; nothing where somebody else did. */
export const begunBy = <Step extends { readonly input: string | null }>(
  steps: readonly Step[],
  text: string,
): readonly Step[] => (text ? steps.map((step, place) => (place === 0 ? { ...step, input: text } : step)) : steps)
