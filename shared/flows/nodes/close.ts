import type { NodeKind } from './kind.ts'

export const closeFields = {}

/** Archives the conversation and ends the session. */
export const close: NodeKind<object> = {
  icon: 'M4 8h16v11a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1ZM3 4h18v4H3ZM10 12h4',
  tone: 'ends',
  defaults: {},
  outputs: () => [],
  isBare: () => true,
}
