/** A conversation that is silent for this long has ended; the next message of the customer begins another segment. */
export const endsAfterMs = 24 * 3_600_000

/** A customer who writes within this time after a bulk send, with nothing said in between, answers it. */
export const answersBulkWithinMs = 7 * 24 * 3_600_000

/** With fewer cases a median misleads: the number of cases stands in its place. */
export const fewCases = 5

/** Why a customer wrote: by themselves, after an advertisement, or in answer to a bulk send. */
export const origins = ['organic', 'ad', 'bulk'] as const
export type Origin = (typeof origins)[number]
