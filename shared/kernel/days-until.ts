const dayMs = 86_400_000

/** So many days before a token's end it is worth a warning. */
export const tokenEndingDays = 14

/** Days that are left, the one that has begun among them; zero or less: it is past. */
export const daysUntil = (at: string, now: number): number => Math.ceil((Date.parse(at) - now) / dayMs)
