import { type FlowWord, flowWordOf } from '#shared/flow-words.ts'

/**
 * What a message is to a session: a word that counts at any time, an answer, or nothing: a session that waits for a time
 * goes on then, and what is written meanwhile is read by nobody but people.
 */
export const readingOf = (
  { isTimed }: { readonly isTimed: boolean },
  { text, isText }: { readonly text: string; readonly isText: boolean },
): FlowWord | 'answer' | 'unread' => (isText ? flowWordOf(text) : undefined) ?? (isTimed ? 'unread' : 'answer')
