// A file of their own: pages that show figures of flows need nothing else of them.

/** Sessions by which the figures of a flow's nodes are counted, and their steps. */
export const maxRunsCounted = 1000
export const maxStepsCounted = 20_000
/** Of these the answers, of which it is looked at how long they took. */
export const maxAnswersTimed = 5000

/** Of the statistics: sessions that began, came to their end, or were handed to a person. Tests are none of them. */
export const countedRuns = ['started', 'finished', 'handedOff'] as const
export type CountedRuns = (typeof countedRuns)[number]
/** Of the steps of a flow: sessions that came to a step, or ended there without the flow saying so. */
export const countedAtStep = ['reached', 'gaveUp'] as const
export type CountedAtStep = (typeof countedAtStep)[number]
