import { tagHues } from '#shared/tags/api.ts'

/** The nearest of our hues to a colour such as `#1f93ff`. */
export const nearestHue = (color: string | null): number => {
  const match = /^#?([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i.exec(color ?? '')
  if (!match) return 0
  const [r, g, b] = match.slice(1).map(part => Number.parseInt(part, 16)) as [number, number, number]
  const angle = (Math.atan2(Math.sqrt(3) * (g - b), 2 * r - g - b) / (2 * Math.PI) + 1) % 1
  return Math.floor(angle * tagHues) % tagHues
}
