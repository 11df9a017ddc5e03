const ofNumber = 'bulk '
/** What shares the turns of a number. */
export const handingKey = (connectionId: string): string => `${ofNumber}${connectionId}`
/** Whose turns they are. */
export const numberOf = (paceKey: string): string => paceKey.slice(ofNumber.length)

/** As many as the outbox takes at once: they leave by the commit that hands them over. */
const mostAtOnce = 64
/** The same of a pace that is fast even so: half as many commits. */
const mostOfFast = 128
/** So many turns are on their way at most, until their answers are written: what is paused stops within seconds. */
const queuedTurns = 2
/** Of one send, at any pace. */
export const mostEverQueued = 768

/** Of so many turns a second one that comes late is felt: they come a little faster, and those that find no room wait. */
const fastTurns = 5
const faster = 1.25

/**
 * How a number's pace is handed over: so many turns a second, each of so many people. Sends that share it take turns. How
 * fast their messages leave then is the outbox's to keep.
 */
export function handingOf(perMessage: number): { perSecond: number; atOnce: number; mostQueued: number } {
  const most = perMessage >= fastTurns * mostOfFast ? mostOfFast : mostAtOnce
  const turns = Math.ceil(perMessage / most)
  const isFast = turns >= fastTurns
  // A full turn is one statement for each table.
  const atOnce = isFast ? most : Math.ceil(perMessage / turns)
  const mostQueued = atOnce * Math.max(queuedTurns, Math.min(turns, Math.floor(mostEverQueued / atOnce)))
  return { perSecond: isFast ? Math.ceil(turns * faster) : turns, atOnce, mostQueued }
}
