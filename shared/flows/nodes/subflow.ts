import { Type } from 'typebox'
import { maxInside, maxJoined, reachedFrom } from '../reached.ts'
import type { ContentOf } from './fields.ts'
import type { NodeKind } from './kind.ts'

export const subflowFields = {
  flowId: Type.Optional(Type.String({ maxLength: 64, description: 'A live flow.' })),
}
type Subflow = ContentOf<typeof subflowFields, 'flowId'>

/** Runs another live flow, and continues when that flow ends. */
export const subflow: NodeKind<Subflow> = {
  icon: 'M4 4h7v7H4ZM13 13h7v7h-7ZM11 7.500h5.500V13',
  tone: 'decides',
  summary: ({ flowId }, _, names) => names.flows.get(flowId) ?? '',
  defaults: { flowId: '' },
  breaksLoops: true,
  problems({ flowId: called }, { facts: { flowId, flows } }) {
    const field = 'flowId'
    if (!called) return [{ field, code: 'flowMissing' }]
    const reached = reachedFrom([called], flows)
    if (reached.has(flowId)) return [{ field, code: 'flowCycle' }]
    if (!flows.some(({ id }) => id === called)) return [{ field, code: 'flowUnknown' }]
    const isDeep = Math.max(...reached.values()) > maxInside || reached.size > maxJoined
    return isDeep ? [{ field, code: 'flowTooDeep', params: { limit: maxInside } }] : []
  },
  uses: ({ flowId }) => ({ flowIds: flowId ? [flowId] : [] }),
}
