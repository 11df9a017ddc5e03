import { timeOfWall, wallTime } from '#shared/kernel/time.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const laterMs = 3 * hourMs
const monday = 1
const morning = '09:00'
/** "Later today" is offered until the first of these hours, and is never before the second. */
const lastOfToday = '21:00'
const firstOfToday = '08:00'

type SnoozeChoice = 'later' | 'tomorrow' | 'monday'

/**
 * Common times at which a conversation comes back, as ISO 8601 UTC: in three hours, on the hour, if that is still this
 * day; tomorrow and on Monday in the morning. On a Sunday, tomorrow is Monday.
 */
export function snoozeChoices(now: number, timeZone: string): readonly { name: SnoozeChoice; at: string }[] {
  const today = wallTime(now, timeZone).slice(0, 10)
  const dayIn = (days: number) => new Date(Date.parse(today) + days * dayMs).toISOString().slice(0, 10)
  const at = (name: SnoozeChoice, wall: string) => {
    const time = timeOfWall(wall, timeZone)
    return time === undefined ? [] : [{ name, at: time }]
  }
  const soonest = wallTime(Math.ceil((now + laterMs) / hourMs) * hourMs, timeZone)
  const later = soonest.slice(11) < firstOfToday ? `${soonest.slice(0, 10)}T${morning}` : soonest
  const tomorrow = dayIn(1)
  const nextMonday = [1, 2, 3, 4, 5, 6, 7].map(dayIn).find(day => new Date(day).getUTCDay() === monday) ?? tomorrow
  return [
    ...(later.slice(0, 10) === today && later.slice(11) <= lastOfToday ? at('later', later) : []),
    ...at('tomorrow', `${tomorrow}T${morning}`),
    ...(nextMonday === tomorrow ? [] : at('monday', `${nextMonday}T${morning}`)),
  ]
}

/** Common waits for an answer. */
export const answerWaits = [
  { name: 'hours', count: 2, ms: 2 * hourMs },
  { name: 'days', count: 1, ms: dayMs },
  { name: 'days', count: 3, ms: 3 * dayMs },
] as const
