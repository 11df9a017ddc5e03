/** What shares the turns of a number. */
export const handingKey = (connectionId: string): string => `bulk ${connectionId}`

/** As much as one commit should hold. */
const mostAtOnce = 100
/** So many turns wait at most: what is paused stops within seconds, and a person's reply finds a short queue. */
const queuedTurns = 2
const mostQueuedTurns = 4
/** Of one send, at any pace. */
export const mostEverQueued = mostAtOnce * mostQueuedTurns

/** Of so many turns a second one that comes late is felt: they come a little faster, and those that find no room wait. */
const fastTurns = 5
const faster = 1.25

/**
 * How a number's pace is handed over: so many turns a second, each of so many people. Sends that share it take turns. How
 * fast their messages leave then is the outbox's to keep.
 */
export function handingOf(perMessage: number): { perSecond: number; atOnce: number; mostQueued: number } {
  const turns = Math.ceil(perMessage / mostAtOnce)
  const atOnce = Math.ceil(perMessage / turns)
  const mostQueued = atOnce * Math.max(queuedTurns, Math.min(turns, mostQueuedTurns))
  return { perSecond: turns < fastTurns ? turns : Math.ceil(turns * faster), atOnce, mostQueued }
}
