import type { ChoosingKind } from './kind.ts'

export const startFields = {}

/** The node at which a flow begins. A flow has one. */
export const start: ChoosingKind<object> = {
  icon: 'M8 5.5v13L18.500 12Z',
  defaults: {},
  choose: () => 'next',
}
