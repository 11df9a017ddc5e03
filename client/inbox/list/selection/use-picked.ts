import { useState } from 'react'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { type Conversation, type MatchingChat, maxSelectedChats } from '#shared/inbox/conversations.ts'
import type { InboxT } from '../../words.ts'
import { belongsTo, type ListQuery } from '../list-filter.ts'

interface Selected {
  readonly list: string
  readonly ids: ReadonlySet<string>
  /** All that matched the filters when all were selected. */
  readonly matching: readonly MatchingChat[]
  /** The last one selected alone. */
  readonly last?: string
}

const nobody = { ids: new Set<string>(), matching: [] }

/** A selected row leaves the selection with its list, except that it was read. Only the server evaluates a search. */
const staysPicked = (row: Conversation, { unread: _, ...query }: ListQuery): boolean =>
  Boolean(query.search) || belongsTo(row, query, row)

/** Several selected rows of one list, loaded or not. Another list starts with none. */
export function usePicked(conversations: readonly Conversation[], list: string, t: InboxT) {
  const [state, setState] = useState<Selected>({ list, ...nobody })
  const { ids, matching } = state.list === list ? state : nobody
  const loaded = new Set(ids.size ? conversations.map(({ id }) => id) : [])
  // Rows that left the list are no longer selected, unless all that match are: another may have moved them off its pages.
  const picked: readonly MatchingChat[] = ids.size
    ? [...conversations, ...matching.filter(({ id }) => !loaded.has(id))].filter(({ id }) => ids.has(id))
    : []
  const set = (next: Iterable<string>, last?: string) => {
    const all = [...next]
    if (all.length > maxSelectedChats) toast(t('select.most', { count: maxSelectedChats }), { key: 'select.most' })
    const kept = new Set(all.slice(0, maxSelectedChats))
    setState({ list, ids: kept, matching: kept.size ? matching : [], ...(last === undefined ? {} : { last }) })
  }
  const placeOf = (id: string | undefined) => conversations.findIndex(row => row.id === id)
  const between = (from: number, to: number) =>
    conversations.slice(Math.min(from, to), Math.max(from, to) + 1).map(({ id }) => id)
  return {
    picked,
    clear: () => setState({ list, ...nobody }),
    pickShown: () => set(new Set([...picked.map(({ id }) => id), ...conversations.map(({ id }) => id)])),
    /** All that match, as the server listed them. */
    pickMatching: (all: readonly MatchingChat[]) =>
      setState({ list, ids: new Set(all.map(({ id }) => id)), matching: all }),
    /** Call it when the rows changed: those that no longer match leave the selection. */
    follow: (rows: readonly Conversation[], query: ListQuery) => {
      const byId = new Map(rows.map(row => [row.id, row]))
      setState(before => {
        if (!before.matching.some(({ id }) => byId.has(id))) return before
        const now = before.matching.flatMap((row): MatchingChat[] => {
          const after = byId.get(row.id)
          return after && !staysPicked(after, query) ? [] : [after ?? row]
        })
        return { ...before, matching: now }
      })
    },
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
