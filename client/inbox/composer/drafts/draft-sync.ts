import { isApiError } from '#client/app/calls/api-error.ts'
import type { DraftQuote } from '#shared/inbox/drafts.ts'
import { readQuotedId, writeQuote } from './draft-quote.ts'
import { allDrafts, createChatTexts, isNoteDraft, readDraft, writeDraft } from './drafts.ts'

/** The last known state of this person's drafts on the server. */
export const savedDrafts = createChatTexts('recado:draft-saved:')
/** Ids of the messages quoted by those drafts. */
const savedQuotes = createChatTexts('recado:draft-quote-saved:')

interface ServerDraft {
  readonly text: string
  readonly replyTo?: DraftQuote | undefined
}

/** Replaces the local draft by the server's. */
export const adoptDraft = (scope: string, phone: string, { text, replyTo }: ServerDraft): void => {
  savedDrafts.write(scope, phone, text)
  savedQuotes.write(scope, phone, replyTo?.id ?? '')
  writeQuote(scope, phone, replyTo)
  writeDraft(scope, phone, text)
}

/**
 * Merges a draft that may have changed here and on another device. If only one side changed since the last save, that
 * side counts. If both did, the text here counts, because its writer sees it; but if the other device only added to the
 * text that was saved from here, its longer text counts.
 */
export const settleDraft = ({ local, saved, theirs }: { local: string; saved: string; theirs: string }): string => {
  if (local === saved) return theirs
  if (theirs === saved) return local
  return local === '' || (saved !== '' && theirs.startsWith(local)) ? theirs : local
}

interface DraftSync {
  /** Call it when something was typed, sent or cleared here. */
  look(): void
  /** The server's drafts, of all chats or of one. */
  take(theirs: Readonly<Record<string, ServerDraft>>, phone?: string): void
  /** Saves what is not saved. Resolves when it is saved or has failed. */
  flush(phone?: string): Promise<void>
  stop(): void
}

const saveAfterMs = 1500
const retryMs = 10_000

/** Saves a person's drafts on the server: one call at a time per chat, shortly after the last key. */
export function createDraftSync(
  scope: string,
  save: (phone: string, text: string, quotedId: string | undefined) => Promise<unknown>,
): DraftSync {
  const timers = new Map<string, ReturnType<typeof setTimeout>>()
  const busy = new Map<string, Promise<void>>()
  /** Texts the server refused are not sent again. */
  const refused = new Map<string, string>()
  let isStopped = false

  const phones = (more: Readonly<Record<string, ServerDraft>> = {}) =>
    [...new Set([allDrafts(scope), savedDrafts.all(scope), more].flatMap(all => Object.keys(all)))].filter(
      phone => !isNoteDraft(phone),
    )
  const isDue = (phone: string) => {
    const text = readDraft(scope, phone)
    // The server does not store a quote without a text.
    const isQuoteNew = text !== '' && readQuotedId(scope, phone) !== savedQuotes.read(scope, phone)
    return (text !== savedDrafts.read(scope, phone) || isQuoteNew) && text !== refused.get(phone)
  }
  const saveNow = async (phone: string): Promise<void> => {
    clearTimeout(timers.get(phone))
    timers.delete(phone)
    if (!isDue(phone)) return
    const text = readDraft(scope, phone)
    const quotedId = text && readQuotedId(scope, phone)
    try {
      await save(phone, text, quotedId || undefined)
      savedDrafts.write(scope, phone, text)
      savedQuotes.write(scope, phone, quotedId)
      refused.delete(phone)
    } catch (error) {
      if (isApiError(error) && error.status >= 400 && error.status < 500 && error.status !== 429)
        refused.set(phone, text)
      else plan(phone, retryMs)
    }
  }
  /** Runs after the current call. */
  const saveInTurn = (phone: string): Promise<void> => {
    const turn = (busy.get(phone) ?? Promise.resolve()).then(() => (isStopped ? undefined : saveNow(phone)))
    busy.set(phone, turn)
    return turn
  }
  function plan(phone: string, ms: number) {
    clearTimeout(timers.get(phone))
    if (isStopped) return
    timers.set(
      phone,
      setTimeout(() => void saveInTurn(phone), ms),
    )
  }
  const look = () => {
    // A sent or cleared draft disappears for others at once.
    for (const phone of phones()) if (isDue(phone)) plan(phone, readDraft(scope, phone) ? saveAfterMs : 0)
  }

  return {
    look,
    take(theirs, only) {
      for (const phone of only === undefined ? phones(theirs) : [only]) {
        const { text, replyTo } = theirs[phone] ?? { text: '' }
        const theirQuote = replyTo?.id ?? ''
        const localQuote = readQuotedId(scope, phone)
        const local = readDraft(scope, phone)
        const settled = settleDraft({ local, saved: savedDrafts.read(scope, phone), theirs: text })
        // The quote is taken over only together with its text: a text kept from here keeps its own quote.
        const isQuoteTheirs =
          settled === text && localQuote === savedQuotes.read(scope, phone) && localQuote !== theirQuote
        savedDrafts.write(scope, phone, text)
        savedQuotes.write(scope, phone, theirQuote)
        if (isQuoteTheirs) writeQuote(scope, phone, replyTo)
        if (settled !== local) writeDraft(scope, phone, settled)
      }
      look()
    },
    async flush(only) {
      await Promise.all((only === undefined ? phones() : [only]).map(saveInTurn))
    },
    stop() {
      isStopped = true
      for (const timer of timers.values()) clearTimeout(timer)
    },
  }
}

/** Running syncs by scope, for waiting until everything is saved. Browser only. */
export const draftSyncs = new Map<string, DraftSync>()
