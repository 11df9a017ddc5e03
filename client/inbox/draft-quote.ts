import { useMemo } from 'react'
import type { Message } from '#shared/messages.ts'
import { createChatTexts } from './drafts.ts'

/** What is being answered in each chat, as JSON. */
const quotes = createChatTexts('recado:draft-quote:')

/** As much of it as is shown over the field. */
const keptChars = 300

/** As much of a message as an answer to it carries. */
export const keptQuote = ({ id, wamid, type, text, direction, author }: Message): string =>
  JSON.stringify({ id, wamid, type, text: text.slice(0, keptChars).toWellFormed(), direction, author })

/** What was kept, as the thread has it now; null: nothing was, or it was deleted meanwhile. */
export const quotedNow = (kept: string | undefined, messages: readonly Message[]): Message | null => {
  if (!kept) return null
  try {
    const quote = JSON.parse(kept) as Message
    const now = messages.find(({ id }) => id === quote.id) ?? quote
    return now.revokedAt ? null : now
  } catch {
    return null
  }
}

/** The message that is being answered. It belongs to the draft: whoever comes back to the chat finds both. */
export function useDraftQuote(scope: string, address: string, messages: readonly Message[]) {
  const kept = quotes.use(scope)[address]
  const quoted = useMemo(() => quotedNow(kept, messages), [kept, messages])
  const quote = (message: Message | null) => quotes.write(scope, address, message ? keptQuote(message) : '')
  return [quoted, quote] as const
}
