import { useCallback } from 'react'
import { createScopedStore } from '#client/app/input/scoped-store.ts'

/** The drafts by chat. */
type Drafts = Readonly<Record<string, string>>

/** Texts by chat in this browser's storage, separate for each person and organization (`outgoingScope`). */
export const createChatTexts = (prefix: string) => {
  const keyOf = (scope: string, phone: string) => `${prefix}${scope}:${phone}`
  const { use, read, write, listen } = createScopedStore<Drafts>(
    {},
    {
      prefix,
      scopeOf: rest => rest.split(':', 2).join(':'),
      load(scope) {
        const start = keyOf(scope, '')
        const keys = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '')
        return Object.fromEntries(
          keys
            .filter(key => key.startsWith(start))
            .map(key => [key.slice(start.length), localStorage.getItem(key) ?? '']),
        )
      },
      save(scope, next, before) {
        for (const phone of new Set([...Object.keys(before), ...Object.keys(next)])) {
          const text = next[phone]
          if (text === before[phone]) continue
          if (text === undefined) localStorage.removeItem(keyOf(scope, phone))
          else localStorage.setItem(keyOf(scope, phone), text)
        }
      },
    },
  )
  return {
    use,
    listen,
    all: read,
    read: (scope: string, phone: string): string => read(scope)[phone] ?? '',
    write(scope: string, phone: string, text: string): void {
      const { [phone]: _, ...others } = read(scope)
      write(scope, text.trim() ? { ...others, [phone]: text } : others)
    },
  }
}

/** Unsent texts, stored in this browser so that closing the tab loses nothing. @see createDraftSync */
const drafts = createChatTexts('recado:draft:')

export const readDraft = drafts.read
export const writeDraft = drafts.write
export const allDrafts = drafts.all
/** Subscribes a listener that renders nothing. */
export const listenToDrafts = drafts.listen

const notePrefix = 'note '
/** Key of a note's draft, separate from the message's, which the list shows. */
export const noteDraft = (phone: string): string => notePrefix + phone
export const isNoteDraft = (key: string): boolean => key.startsWith(notePrefix)

/** True if the two states differ in the open chat's text at most. */
export const isSameBeside = (before: Drafts, after: Drafts, open: string | undefined): boolean =>
  [...Object.keys(before), ...Object.keys(after)].every(phone => phone === open || before[phone] === after[phone])

/** Drafts of all chats except the open one, so that typing re-renders nothing else. */
export const useDraftsBeside = (scope: string, open: string | undefined): Drafts =>
  drafts.use(
    scope,
    useCallback((before: Drafts, after: Drafts) => isSameBeside(before, after, open), [open]),
  )

/** Names of colleagues with a draft, by chat and person id. */
export type OthersDrafts = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Drafts of colleagues. Empty until the server sent them. */
export const othersDrafts = createScopedStore<OthersDrafts>({})

/** Names of colleagues who have begun an answer, for a row. Undefined: none. */
export const whoDrafts = (others: OthersDrafts, phone: string): string | undefined =>
  others[phone] && Object.values(others[phone]).join(', ')
