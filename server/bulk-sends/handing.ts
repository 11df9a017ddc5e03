/** What shares the turns of a number. */
export const handingKey = (connectionId: string): string => `bulk ${connectionId}`

/** As much as one commit should hold. */
const mostAtOnce = 100
/** So many turns wait at most: what is paused stops within seconds, and a person's reply finds a short queue. */
const queuedTurns = 2
const mostQueuedTurns = 4
/** Of one send, at any pace. */
export const mostEverQueued = mostAtOnce * mostQueuedTurns

/** How a number's pace is handed over: so many turns a second, each of so many people. Sends that share it take turns. */
export function handingOf(perMessage: number): { perSecond: number; atOnce: number; mostQueued: number } {
  const perSecond = Math.ceil(perMessage / mostAtOnce)
  const atOnce = Math.ceil(perMessage / perSecond)
  return { perSecond, atOnce, mostQueued: atOnce * Math.max(queuedTurns, Math.min(perSecond, mostQueuedTurns)) }
}
