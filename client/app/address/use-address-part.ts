import { useSearchParams } from 'react-router'
import { useAddressChange } from './use-address-change.ts'

/** The address's query, and a function that sets one parameter or, if empty, removes it, without leaving the page. */
export function useAddressPart(): readonly [query: URLSearchParams, put: (name: string, value: string) => void] {
  const [query] = useSearchParams()
  const change = useAddressChange()
  const put = (name: string, value: string) =>
    change(address => (value ? address.set(name, value) : address.delete(name)), { replace: true })
  return [query, put]
}
