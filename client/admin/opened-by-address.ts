import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** Whether a dialog is open. The query `name` of the address opens it once, and another page closes it. */
export const useOpenedByAddress = (name: string) => {
  const [query, setQuery] = useSearchParams()
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  const isAsked = query.has(name)
  // Before the effect that opens it, because both may run at once.
  // biome-ignore lint/correctness/useExhaustiveDependencies: only another page closes it
  useEffect(() => setOpen(false), [pathname])
  useEffect(() => {
    if (!isAsked) return
    setOpen(true)
    setQuery(
      before => {
        before.delete(name)
        return before
      },
      { replace: true, preventScrollReset: true },
    )
  }, [isAsked, name, setQuery])
  return [isOpen, setOpen] as const
}
