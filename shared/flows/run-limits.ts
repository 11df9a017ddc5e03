// A file of their own: pages that show figures of flows need nothing else of them.

/** Sessions by which the figures of a flow's nodes are counted, and their steps. */
export const maxRunsCounted = 1000
export const maxStepsCounted = 20_000
/** Of these the answers, of which it is looked at how long they took. */
export const maxAnswersTimed = 5000
