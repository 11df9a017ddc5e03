import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { useAddressChange } from '#client/app/address/use-address-change.ts'
import { useFollowedSearch } from '#client/app/address/use-followed-search.ts'
import { useIsElsewhere } from '#client/ui/page/is-elsewhere.ts'
import { readListFilter } from '../list-filter.ts'

const searchAfterMs = 250

/** The address changes shortly after typing. The list shows the address's search, so a reload keeps it. */
export const useSearchField = (openPhone: string | undefined) => {
  const [address] = useSearchParams()
  const change = useAddressChange()
  const shown = readListFilter(address).search
  const [typed, setTyped] = useState(shown)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const noteSent = useFollowedSearch(shown, setTyped)
  useEffect(() => () => clearTimeout(timer.current), [])
  const isElsewhere = useIsElsewhere()
  const show = (value: string) => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      // Opens a chat that was clicked meanwhile first; changing the address would cancel that.
      if (isElsewhere()) return show(value)
      const search = value.trim()
      change(
        query => {
          if ((query.get('q') ?? '') !== search) noteSent(search)
          // In another chat, a new search covers all chats.
          if (openPhone && !query.has('q') && query.get('within') !== openPhone) query.delete('within')
          if (search) query.set('q', search)
          else for (const name of ['q', 'within']) query.delete(name)
        },
        { replace: true },
      )
    }, searchAfterMs)
  }
  const type = (value: string) => {
    setTyped(value)
    show(value)
  }
  return { typed, type }
}
