import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js/max'
import type { BulkSendCare } from '#shared/bulk-sends/api.ts'
import { timeOfWall } from '#shared/kernel/time.ts'

/** Hardly anybody lives by these clocks, and a whole country would wait for them. */
const remote = new Set([
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
/** Within it every hour of every zone has come. */
const stepsOfTwoDays = (48 * 60) / 15

type WithZones = Intl.Locale & { getTimeZones?(): string[] | undefined }

const zonesByCountry = new Map<string, readonly string[]>()

/** A country's zones by the machine's own tables; none where they do not know it. */
const zonesOf = (country: CountryCode): readonly string[] => {
  const known = zonesByCountry.get(country)
  if (known) return known
  const all = (new Intl.Locale(`und-${country}`) as WithZones).getTimeZones?.() ?? []
  const zones = all.filter(zone => !remote.has(zone))
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
 * When people may be written to by their own clock, as far as their number tells of it: its country, and where that has
 * several zones, the hours that lie within the window in all of them, since nobody knows in which one a mobile is; and not
 * before it is as late as `localStart` in all of them. Where there is no such hour, and for numbers of no country, the
 * organization's own clock counts. Pure but for what it keeps in memory of countries.
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

  /** The first time from now on; now itself where that is within. */
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

  /** When somebody with this number, in digits, may be written to: null: now. */
  return (phone: string): string | null => {
    const next = nextOf(parsePhoneNumberFromString(`+${phone}`)?.country)
    return next <= nowMs ? null : new Date(next).toISOString()
  }
}
