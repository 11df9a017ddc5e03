import { Type } from 'typebox'
import type { ContentOf } from './fields.ts'
import type { NodeKind } from './kind.ts'

export const gotoFields = { nodeId: Type.Optional(Type.String({ maxLength: 40 })) }
type Jump = ContentOf<typeof gotoFields, 'nodeId'>

/** Continues at another node of the flow. */
export const goto: NodeKind<Jump> = {
  icon: 'M5 5v8a3 3 0 0 0 3 3h11m-4-4 4 4-4 4',
  tone: 'decides',
  defaults: { nodeId: '' },
  outputs: () => [],
  isBare: ({ nodeId }) => !nodeId,
  jumpsTo: ({ nodeId }) => nodeId,
  withJump: (node, nodeId) => ({ ...node, nodeId }),
  problems: ({ nodeId }, { nodes }) =>
    nodes.some(({ id, type }) => id === nodeId && type !== 'goto') ? [] : [{ field: 'nodeId', code: 'targetUnknown' }],
}
