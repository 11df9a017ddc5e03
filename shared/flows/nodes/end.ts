import type { NodeKind } from './kind.ts'

export const endFields = {}

/** Ends the flow. Inside another flow, the session returns to the node that ran this one. */
export const end: NodeKind<object> = {
  icon: 'M12 3.500a8.5 8.5 0 1 0 0 17 8.5 8.5 0 0 0 0-17ZM9 9h6v6H9Z',
  tone: 'ends',
  defaults: {},
  outputs: () => [],
  isBare: () => true,
}
