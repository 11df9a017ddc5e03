import type { Language } from '#shared/kernel/language.ts'
import { clockTime, dayNumber, shortDate, weekdayOf } from '#shared/kernel/time.ts'
import type { InboxT } from '../words.ts'

const daysOfWeek = 7

interface Reader {
  readonly now: number
  readonly timeZone: string
  readonly language: Language
  readonly t: InboxT
}

/** Says shortly when a conversation comes back: `hoy 15:00`, `mañana 09:00`, `lunes 09:00`, `2 dic 2026 09:00`. */
export const backText = (iso: string, { now, timeZone, language, t }: Reader): string => {
  const time = clockTime(iso, timeZone)
  const days = dayNumber(iso, timeZone) - dayNumber(new Date(now).toISOString(), timeZone)
  if (days === 0) return `${t('scheduled.today')} ${time}`
  if (days === 1) return `${t('scheduled.tomorrow')} ${time}`
  const isThisWeek = days > 1 && days < daysOfWeek
  return `${isThisWeek ? weekdayOf(iso, language, timeZone) : shortDate(iso, language, timeZone)} ${time}`
}
