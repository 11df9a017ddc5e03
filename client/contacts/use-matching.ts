import { useRef, useState } from 'react'
import { useApi } from '#client/app/calls/use-api.ts'
import { type MatchingContact, maxSelectedContacts } from '#shared/contacts/api.ts'
import type { ContactFilter } from './queries.ts'

/** Fetches the contacts that match the filters, loaded or not, up to the limit of a selection. */
export function useMatching(filter: ContactFilter) {
  const api = useApi()
  const [matching, setMatching] = useState<readonly MatchingContact[]>([])
  const [found, setFound] = useState<number>()
  const isStopped = useRef(false)
  return {
    matching,
    setMatching,
    /** The number of contacts fetched so far. Undefined: nothing is being fetched. */
    found,
    stop: () => {
      isStopped.current = true
    },
    /** Undefined: it was stopped. `isMore`: more than the limit match. */
    find: async (): Promise<{ ids: readonly string[]; isMore: boolean } | undefined> => {
      isStopped.current = false
      const all: MatchingContact[] = []
      let after: string | null = null
      try {
        do {
          setFound(all.length)
          const query: ContactFilter & { after?: string } = after === null ? filter : { ...filter, after }
          const { items, next } = await api.contacts.listMatching({ query })
          all.push(...items)
          after = next
          if (isStopped.current) return undefined
        } while (after !== null && all.length < maxSelectedContacts)
      } finally {
        setFound(undefined)
      }
      const kept = all.slice(0, maxSelectedContacts)
      setMatching(kept)
      return { ids: kept.map(({ id }) => id), isMore: after !== null || all.length > kept.length }
    },
  }
}
