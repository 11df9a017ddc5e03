import { useEffect, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'

/** The state of a dialog that the query `name` of the address opens once, and that another page closes. */
export const useOpenedByAddress = (name: string) => {
  const [query, setQuery] = useSearchParams()
  const [isOpen, setOpen] = useState(false)
  const { pathname } = useLocation()
  const [openedOn, setOpenedOn] = useState(pathname)
  const isAsked = query.has(name)
  // Not in an effect: the first one runs after a press that came during hydration, and would undo it.
  if (openedOn !== pathname) {
    setOpenedOn(pathname)
    setOpen(false)
  }
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
