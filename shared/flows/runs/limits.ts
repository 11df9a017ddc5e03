// A file of their own: pages that show figures of flows need nothing else of them.

/** Sessions by which the figures of a flow's nodes are counted, and their steps. */
export const maxRunsCounted = 1000
export const maxStepsCounted = 20_000
/** The answers among them whose duration is measured. */
export const maxAnswersTimed = 5000

/** The sessions that statistics count: begun, finished, or handed to a person. Tests are not counted. */
export const countedRuns = ['started', 'finished', 'handedOff'] as const
export type CountedRuns = (typeof countedRuns)[number]
/** The sessions counted at a step of a flow: those that reached it, or ended there without the flow's decision. */
export const countedAtStep = ['reached', 'gaveUp'] as const
export type CountedAtStep = (typeof countedAtStep)[number]
