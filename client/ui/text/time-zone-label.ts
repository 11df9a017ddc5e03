/** `Buenos Aires`: the city in a time zone's name. */
export const zoneCity = (zone: string): string => zone.split('/').at(-1)?.replaceAll('_', ' ') ?? zone

/** `Buenos Aires, Argentina (UTC−3)`: the city first, so that typing it finds the option. */
export const zoneLabel = (zone: string, now: number): string => {
  if (zone === 'UTC') return zone
  const [city = zone, ...around] = zone.replaceAll('_', ' ').split('/').reverse()
  const offset = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'shortOffset' })
    .formatToParts(now)
    .find(({ type }) => type === 'timeZoneName')
    ?.value.replace('GMT', 'UTC')
    .replace('-', '−')
  // The continent is needed only where it is all there is beside the city.
  const place = [city, ...(around.length > 1 ? around.slice(0, -1) : [])].join(', ')
  return offset === undefined ? place : `${place} (${offset})`
}
