import { useState } from 'react'
import type { InboxT } from '#client/inbox/words.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'

/** Actions change them in several calls. */
export const maxPicked = 1000

const nobody: ReadonlySet<string> = new Set()

/** Several selected rows of one list. Another list starts with none. */
export function usePicked(conversations: readonly Conversation[], list: string, t: InboxT) {
  const [state, setState] = useState<{ list: string; ids: ReadonlySet<string>; last?: string }>({ list, ids: nobody })
  const ids = state.list === list ? state.ids : nobody
  // Rows that left the list are no longer selected.
  const picked = ids.size ? conversations.filter(({ id }) => ids.has(id)) : []
  const set = (next: Iterable<string>, last?: string) => {
    const all = [...next]
    if (all.length > maxPicked) toast(t('select.most', { count: maxPicked }), { key: 'select.most' })
    setState({ list, ids: new Set(all.slice(0, maxPicked)), ...(last === undefined ? {} : { last }) })
  }
  const placeOf = (id: string | undefined) => conversations.findIndex(row => row.id === id)
  const between = (from: number, to: number) =>
    conversations.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ id }) => id)
  return {
    picked,
    clear: () => setState({ list, ids: nobody }),
    all: () => set(conversations.slice(0, maxPicked).map(({ id }) => id)),
    /** `toHere`: all from the last selected one. */
    pick: (id: string, toHere: boolean) => {
      const known = new Set(picked.map(row => row.id))
      const from = placeOf(state.last)
      if (toHere && from >= 0) return set([...known, ...between(from, placeOf(id)).filter(one => !known.has(one))], id)
      if (!known.delete(id)) known.add(id)
      set(known, id)
    },
  }
}
