import { useMemo } from 'react'
import { type DraftQuote, draftQuoteChars } from '#shared/inbox/drafts.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { createChatTexts } from './drafts.ts'

/** The quoted message of each chat's draft, as JSON. */
const quotes = createChatTexts('recado:draft-quote:')

/** The part of a message that a quote needs. */
export const keptQuote = ({ id, wamid, type, text, direction, author }: Message | DraftQuote): string =>
  JSON.stringify({ id, wamid, type, text: text.slice(0, draftQuoteChars).toWellFormed(), direction, author })

/** Id of the message quoted by a chat's draft. Empty: none. */
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

/** The stored quote with the thread's current data. Null: none, or the message was deleted. */
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

/** The quoted message belongs to the draft, so both are restored. */
export function useDraftQuote(scope: string, address: string, messages: readonly Message[]) {
  const kept = quotes.use(scope)[address]
  const quoted = useMemo(() => quotedNow(kept, messages), [kept, messages])
  const quote = (message: Message | null) => writeQuote(scope, address, message)
  return [quoted, quote] as const
}
