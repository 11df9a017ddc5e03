import type { ChoosingKind } from './kind.ts'

export const startFields = {}

/** Where a flow begins. A flow has one. */
export const start: ChoosingKind<object> = { defaults: {}, choose: () => 'next' }
