import { useEffect, useState } from 'react'
import { useSearchParams } from 'react-router'

/** Whether a dialog is open. The query `name` of the address opens it once. */
export const useOpenedByAddress = (name: string) => {
  const [query, setQuery] = useSearchParams()
  const [isOpen, setOpen] = useState(false)
  const isAsked = query.has(name)
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
