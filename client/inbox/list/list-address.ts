import { useLocation } from 'react-router'

const maxIdChars = 64

/** Id of the message an address leads to, `?around=…`; undefined: to the newest. */
export const aroundOf = (search: string): string | undefined =>
  new URLSearchParams(search).get('around')?.slice(0, maxIdChars) || undefined

/** The rest of such an address: what the list beside it shows. */
export const withoutAround = (search: string): string => {
  const params = new URLSearchParams(search)
  params.delete('around')
  const rest = params.toString()
  return rest && `?${rest}`
}

/** Such an address, to another message. */
export const withAround = (search: string, id: string): string => {
  const params = new URLSearchParams(search)
  params.set('around', id)
  return `?${params}`
}

/** The list beside it ready to search that chat alone. */
export const searchWithin = (address: string): string => `?${new URLSearchParams({ within: address })}`

/** What the list shows, as every address of the inbox carries it along. */
export const useListSearch = (): string => withoutAround(useLocation().search)
