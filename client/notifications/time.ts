import type { Language } from '#shared/language.ts'

const dayMs = 24 * 60 * 60 * 1000
const halves = { es: ['a.\u00a0m.', 'p.\u00a0m.'], en: ['AM', 'PM'] } as const

/** `2:05 p. m.`, `2:05 PM`: twelve hours, UTC. */
export const clock12 = (iso: string, language: Language): string => {
  const at = new Date(iso)
  const hours = at.getUTCHours()
  const minutes = String(at.getUTCMinutes()).padStart(2, '0')
  return `${hours % 12 || 12}:${minutes}\u00a0${halves[language][hours < 12 ? 0 : 1]}`
}

/** Calendar days between then and now, UTC; 0 the same day, also for what seems to come from the future. */
export const daysAgo = (iso: string, now: number): number =>
  Math.max(0, Math.floor(now / dayMs) - Math.floor(Date.parse(iso) / dayMs))
