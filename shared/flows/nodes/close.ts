import type { NodeKind } from './kind.ts'

export const closeFields = {}

/** Archives the conversation and ends the session. */
export const close: NodeKind<object> = { defaults: {}, outputs: () => [], isBare: () => true }
