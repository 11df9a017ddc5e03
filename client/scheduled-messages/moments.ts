import type { Language } from '#shared/kernel/language.ts'
import { clockTime, dayNumber, dayTitle, wallTime } from '#shared/kernel/time.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const monday = 1

type QuickChoice = 'hour' | 'tomorrow' | 'monday'

/** Common choices of a time, as local times. */
export const quickChoices = (now: number, timeZone: string): readonly { name: QuickChoice; wall: string }[] => {
  const dayIn = (days: number) => wallTime(now + days * dayMs, timeZone).slice(0, 10)
  const weekdayOf = (day: string) => new Date(`${day}T00:00Z`).getUTCDay()
  const tomorrow = dayIn(1)
  const week = [2, 3, 4, 5, 6, 7].map(dayIn)
  const next = week.find(day => weekdayOf(day) === monday)
  return [
    { name: 'hour', wall: wallTime(now + hourMs, timeZone) },
    { name: 'tomorrow', wall: `${tomorrow}T09:00` },
    ...(next ? [{ name: 'monday' as const, wall: `${next}T09:00` }] : []),
  ]
}

/** `hoy 17:00`, `mañana 09:00`, `el lunes 30 de noviembre, 09:00`. */
export const momentText = (
  iso: string,
  {
    now,
    timeZone,
    language,
    words,
  }: {
    now: number
    timeZone: string
    language: Language
    words: { today: string; tomorrow: string; on(day: string): string }
  },
): string => {
  const time = clockTime(iso, timeZone)
  const days = dayNumber(iso, timeZone) - dayNumber(new Date(now).toISOString(), timeZone)
  if (days === 0) return `${words.today} ${time}`
  if (days === 1) return `${words.tomorrow} ${time}`
  return words.on(`${dayTitle(iso, now, language, timeZone)}, ${time}`)
}
