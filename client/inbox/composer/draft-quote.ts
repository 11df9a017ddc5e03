import { useMemo } from 'react'
import { type DraftQuote, draftQuoteChars } from '#shared/inbox/drafts.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { createChatTexts } from './drafts.ts'

/** What is being answered in each chat, as JSON. */
const quotes = createChatTexts('recado:draft-quote:')

/** As much of a message as an answer to it carries. */
export const keptQuote = ({ id, wamid, type, text, direction, author }: Message | DraftQuote): string =>
  JSON.stringify({ id, wamid, type, text: text.slice(0, draftQuoteChars).toWellFormed(), direction, author })

/** Id of the message that is being answered in a chat; empty: none. */
export const readQuotedId = (scope: string, phone: string): string => {
  try {
    return (JSON.parse(quotes.read(scope, phone)) as Message).id
  } catch {
    return ''
  }
}
export const writeQuote = (scope: string, phone: string, message: Message | DraftQuote | null | undefined): void =>
  quotes.write(scope, phone, message ? keptQuote(message) : '')
export const listenToQuotes = quotes.listen

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
  const quote = (message: Message | null) => writeQuote(scope, address, message)
  return [quoted, quote] as const
}
