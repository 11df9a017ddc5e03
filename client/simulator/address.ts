import { paths } from '#shared/kernel/paths.ts'

/** The simulator's address with one phone open. */
export const customerAt = (slug: string, waId: string): string =>
  `${paths.simulator(slug)}?customer=${encodeURIComponent(waId)}`

/** The customer whose phone is open; undefined: none. */
export const customerIn = (search: URLSearchParams): string | undefined => search.get('customer') ?? undefined
