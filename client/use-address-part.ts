import { useSearchParams } from 'react-router'

/** What the address asks for, and how one part of it becomes another or, empty, goes: the page stays where it is. */
export function useAddressPart(): readonly [query: URLSearchParams, put: (name: string, value: string) => void] {
  const [query, setQuery] = useSearchParams()
  const put = (name: string, value: string) =>
    setQuery(
      before => {
        const next = new URLSearchParams(before)
        if (value) next.set(name, value)
        else next.delete(name)
        return next
      },
      { preventScrollReset: true, replace: true },
    )
  return [query, put]
}
