import { useSearchParams } from 'react-router'
import { useAddressChange } from './use-address-change.ts'

/** What the address asks for, and how one part of it becomes another or, empty, goes: the page stays where it is. */
export function useAddressPart(): readonly [query: URLSearchParams, put: (name: string, value: string) => void] {
  const [query] = useSearchParams()
  const change = useAddressChange()
  const put = (name: string, value: string) =>
    change(address => (value ? address.set(name, value) : address.delete(name)), { replace: true })
  return [query, put]
}
