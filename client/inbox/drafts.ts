import { createScopedStore } from '#client/scoped-store.ts'

/** By chat. */
type Drafts = Readonly<Record<string, string>>

const prefix = 'recado:draft:'
const keyOf = (slug: string, phone: string) => `${prefix}${slug}:${phone}`

/** Drafts stay in this browser, by organization and chat: closing the tab loses nothing. */
const drafts = createScopedStore<Drafts>(
  {},
  {
    prefix,
    scopeOf: rest => rest.slice(0, rest.indexOf(':')),
    load(slug) {
      const start = keyOf(slug, '')
      const keys = Array.from({ length: localStorage.length }, (_, i) => localStorage.key(i) ?? '')
      return Object.fromEntries(
        keys
          .filter(key => key.startsWith(start))
          .map(key => [key.slice(start.length), localStorage.getItem(key) ?? '']),
      )
    },
    save(slug, next, before) {
      for (const phone of new Set([...Object.keys(before), ...Object.keys(next)])) {
        const text = next[phone]
        if (text === before[phone]) continue
        if (text === undefined) localStorage.removeItem(keyOf(slug, phone))
        else localStorage.setItem(keyOf(slug, phone), text)
      }
    },
  },
)

export const readDraft = (slug: string, phone: string): string => drafts.read(slug)[phone] ?? ''

export function writeDraft(slug: string, phone: string, text: string): void {
  const { [phone]: _, ...others } = drafts.read(slug)
  drafts.write(slug, text.trim() ? { ...others, [phone]: text } : others)
}

/** Where the draft of a note lies: apart from the message's, which the list shows. */
export const noteDraft = (phone: string): string => `note ${phone}`

/** All drafts of an organization by chat; none on the server and during hydration. */
export const useDrafts = drafts.use
