import { useLocation } from 'react-router'

const maxIdChars = 64

/** State of a navigation that leaves the focus where it is, instead of moving it to the composer. */
export const keepsFocus = { keepsFocus: true } as const
export const doesKeepFocus = (state: unknown): boolean =>
  typeof state === 'object' && state !== null && 'keepsFocus' in state

/** Id of the message an address points to, `?around=…`. Undefined: the newest. */
export const aroundOf = (search: string): string | undefined =>
  new URLSearchParams(search).get('around')?.slice(0, maxIdChars) || undefined

/** The address's query without it: the list's filters. */
export const withoutAround = (search: string): string => {
  const params = new URLSearchParams(search)
  params.delete('around')
  const rest = params.toString()
  return rest && `?${rest}`
}

/** The address's query for another message. */
export const withAround = (search: string, id: string): string => {
  const params = new URLSearchParams(search)
  params.set('around', id)
  return `?${params}`
}

/** The query of a list that searches in one chat. */
export const searchWithin = (address: string): string => `?${new URLSearchParams({ within: address })}`

/** The list's filters, which every address of the inbox carries. */
export const useListSearch = (): string => withoutAround(useLocation().search)
