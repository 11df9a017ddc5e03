declare const Temporal: { readonly Now: { timeZoneId(): string } } | undefined

/**
 * The browser's time zone. The first formatter takes a phone a tenth of a second, so call it only if the zone is not
 * known otherwise.
 */
export const ownTimeZone = (): string =>
  typeof Temporal === 'undefined' ? Intl.DateTimeFormat().resolvedOptions().timeZone : Temporal.Now.timeZoneId()
