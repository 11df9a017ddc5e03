/** A conversation that is silent for this long has ended; the next message of the customer begins another segment. */
export const endsAfterMs = 24 * 3_600_000

/** A customer who writes within this time after a bulk send, with nothing said in between, answers it. */
export const answersBulkWithinMs = 7 * 24 * 3_600_000

/** With fewer cases a median misleads, so the page shows the number of cases instead. */
export const fewCases = 5

/** Why a customer wrote: on their own, after an advertisement, or in answer to a bulk send. */
export const origins = ['organic', 'ad', 'bulk'] as const
export type Origin = (typeof origins)[number]

/** The promise is nearly broken when this much of it is left: a fifth, but a minute at least. All in ms. */
export const soonMs = (promiseMs: number): number => Math.min(promiseMs, Math.max(promiseMs / 5, 60_000))
