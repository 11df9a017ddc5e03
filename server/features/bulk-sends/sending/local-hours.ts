import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { BulkSendCare } from '#shared/bulk-sends/care.ts'
import { timeOfWall } from '#shared/kernel/time.ts'

/** Few people live in these zones, and a whole country would wait for them. */
const ignoredZones = new Set([
  'America/Adak',
  'America/Noronha',
  'Antarctica/Macquarie',
  'Antarctica/McMurdo',
  'Antarctica/Vostok',
  'Australia/Eucla',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Easter',
  'Pacific/Galapagos',
])

const quarterMs = 15 * 60_000
/** Two days cover every hour of every zone. */
const stepsOfTwoDays = (48 * 60) / 15

type WithZones = Intl.Locale & { getTimeZones?(): string[] | undefined }

const zonesByCountry = new Map<string, readonly string[]>()

/** A country's time zones from the runtime's tables. Empty: unknown country. */
const zonesOf = (country: CountryCode): readonly string[] => {
  const known = zonesByCountry.get(country)
  if (known) return known
  const all = (new Intl.Locale(`und-${country}`) as WithZones).getTimeZones?.() ?? []
  const zones = all.filter(zone => !ignoredZones.has(zone))
  zonesByCountry.set(country, zones)
  return zones
}

const clocks = new Map<string, Intl.DateTimeFormat>()

const hourIn = (zone: string, ms: number): number => {
  let clock = clocks.get(zone)
  if (!clock) {
    clock = new Intl.DateTimeFormat('en', { timeZone: zone, hour: 'numeric', hourCycle: 'h23' })
    clocks.set(zone, clock)
  }
  return Number(clock.format(ms))
}

/**
 * People may be written to by their local time, as far as their number reveals it. For a country with several zones,
 * the hours must lie in the window in all of them, because a mobile number does not tell the zone, and `localStart`
 * must have passed in all of them. If there is no such hour, or the number has no country, the organization's time zone
 * counts. Pure, except that it caches countries.
 */
export function createLocalHours(
  { hours, localStart }: Pick<BulkSendCare, 'hours' | 'localStart'>,
  { nowMs, ownZone }: { nowMs: number; ownZone: string },
) {
  const isWithin = (zones: readonly string[], ms: number): boolean =>
    hours === null ||
    zones.every(zone => {
      const hour = hourIn(zone, ms)
      return hour >= hours.from && hour < hours.to
    })

  const fromIn = (zones: readonly string[]): number =>
    Math.max(nowMs, ...(localStart ? zones.map(zone => Date.parse(timeOfWall(localStart, zone) ?? '') || 0) : []))

  /** The first allowed time from now on. */
  const nextIn = (zones: readonly string[]): number | undefined => {
    const fromMs = fromIn(zones)
    if (isWithin(zones, fromMs)) return fromMs
    const first = Math.floor(fromMs / quarterMs) * quarterMs
    for (let step = 1; step <= stepsOfTwoDays; step += 1)
      if (isWithin(zones, first + step * quarterMs)) return first + step * quarterMs
    return undefined
  }

  const nexts = new Map<string, number>()
  const nextOf = (country: CountryCode | undefined): number => {
    const known = nexts.get(country ?? '')
    if (known !== undefined) return known
    const zones = country ? zonesOf(country) : []
    const next = (zones.length ? nextIn(zones) : undefined) ?? nextIn([ownZone]) ?? fromIn([ownZone])
    nexts.set(country ?? '', next)
    return next
  }

  /** Returns the time from which this number (digits) may be written to. Null: it may be written to now. */
  return (phone: string): string | null => {
    const next = nextOf(parsePhoneNumberFromString(`+${phone}`)?.country)
    return next <= nowMs ? null : new Date(next).toISOString()
  }
}
