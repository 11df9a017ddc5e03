const dayMs = 86_400_000

/** Days before a token expires from which on a warning is shown. */
export const tokenEndingDays = 14

/** Days left, counting the current one; zero or less: past. */
export const daysUntil = (at: string, now: number): number => Math.ceil((Date.parse(at) - now) / dayMs)
