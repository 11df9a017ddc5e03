const ofNumber = 'bulk '
/** The rate key shared by sends of one number. */
export const handingKey = (connectionId: string): string => `${ofNumber}${connectionId}`
/** The number of a rate key. */
export const numberOf = (paceKey: string): string => paceKey.slice(ofNumber.length)

/** Recipients per hand-over: as many as the outbox claims at once, so that the same commit starts them. */
const maxAtOnce = 64
/** Recipients per hand-over at fast rates, with half as many commits. */
const maxAtOnceFast = 128
/** Hand-overs in flight at most, so that a paused send stops within seconds. */
const maxHandOversInFlight = 2
/** Per send, at any rate. */
export const maxQueued = 768

/** With this many hand-overs a second, delays add up, so they run a little faster, and those without capacity wait. */
const fastHandOversPerSecond = 5
const speedUpFactor = 1.25

/**
 * Splits a number's rate into hand-overs a second and recipients each. Sends on the same number take turns. The outbox
 * paces the messages.
 */
export function handingOf(perMessage: number): { perSecond: number; atOnce: number; mostQueued: number } {
  const most = perMessage >= fastHandOversPerSecond * maxAtOnceFast ? maxAtOnceFast : maxAtOnce
  const handOvers = Math.ceil(perMessage / most)
  const isFast = handOvers >= fastHandOversPerSecond
  // A full hand-over is one statement per table.
  const atOnce = isFast ? most : Math.ceil(perMessage / handOvers)
  const mostQueued = atOnce * Math.max(maxHandOversInFlight, Math.min(handOvers, Math.floor(maxQueued / atOnce)))
  return { perSecond: isFast ? Math.ceil(handOvers * speedUpFactor) : handOvers, atOnce, mostQueued }
}
