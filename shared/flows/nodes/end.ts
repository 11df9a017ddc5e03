import type { NodeKind } from './kind.ts'

export const endFields = {}

/** Ends the flow. Inside another flow, the session returns to the node that ran this one. */
export const end: NodeKind<object> = { defaults: {}, outputs: () => [], isBare: () => true }
