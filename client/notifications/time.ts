import type { Language } from '#shared/kernel/language.ts'
import { clockTime, dayNumber } from '#shared/kernel/time.ts'

const halves = { es: ['a.\u00a0m.', 'p.\u00a0m.'], en: ['AM', 'PM'] } as const

/** `2:05 p. m.`, `2:05 PM`: twelve hours, as in chats. */
export const clock12 = (iso: string, language: Language, timeZone: string): string => {
  const [hour, minutes] = clockTime(iso, timeZone).split(':')
  const hours = Number(hour)
  return `${hours % 12 || 12}:${minutes}\u00a0${halves[language][hours < 12 ? 0 : 1]}`
}

/** Calendar days between a time and now. 0 for the same day, and for times in the future. */
export const daysAgo = (iso: string, now: number, timeZone: string): number =>
  Math.max(0, dayNumber(new Date(now).toISOString(), timeZone) - dayNumber(iso, timeZone))
