import { paths } from '#shared/kernel/paths.ts'

/** The simulator with one phone open. */
export const customerAt = (slug: string, waId: string): string =>
  `${paths.simulator(slug)}?customer=${encodeURIComponent(waId)}`

/** Whose phone the address asks for; undefined: none. */
export const customerIn = (search: URLSearchParams): string | undefined => search.get('customer') ?? undefined
