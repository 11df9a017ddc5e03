import type { NodeKind } from './kind.ts'

export const endFields = {}

/** Ends the flow, or goes back to the flow that runs it. */
export const end: NodeKind<object> = { defaults: {}, outputs: () => [], isBare: () => true }
