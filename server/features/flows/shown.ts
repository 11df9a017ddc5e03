import type { FlowSummary } from '#shared/flows/api.ts'
import type { WireTrigger } from '#shared/flows/wire.ts'
import type { FlowCounts } from './runs/day-store.ts'
import type { FlowHead, StoredFlow } from './store.ts'

/** The kind of change to a flow. */
export type FlowChanged = 'saved' | 'published' | 'paused' | 'resumed'

/** The most of one flow that the list shows. */
const maxListed = { triggers: 5, words: 5, chars: 60 } as const

/** Triggers shortened for a list; the trigger for messages that match nothing is always included. */
export const shortened = (triggers: readonly WireTrigger[]): WireTrigger[] => {
  const few = (texts: readonly string[]) => texts.slice(0, maxListed.words).map(text => text.slice(0, maxListed.chars))
  const first = triggers.slice(0, maxListed.triggers)
  const shown = [
    ...first,
    ...triggers
      .slice(maxListed.triggers)
      .filter(({ kind }) => kind === 'default')
      .slice(0, 1),
  ]
  return shown.map(trigger => {
    if (trigger.kind === 'keyword') return { ...trigger, words: few(trigger.words) }
    return trigger.kind === 'ad' || trigger.kind === 'action' ? { ...trigger, ids: few(trigger.ids) } : trigger
  })
}

/** A flow with its draft, as displayed. */
export type ShownFlow = Omit<StoredFlow, 'graph'>
const nothing: FlowCounts = { started: 0, finished: 0, handedOff: 0 }
export const flowState = ({ version, isEnabled }: Pick<FlowHead, 'version' | 'isEnabled'>): FlowSummary['state'] => {
  if (version === null) return 'draft'
  return isEnabled ? 'live' : 'paused'
}

export const present = (flow: FlowHead, week: FlowCounts = nothing): FlowSummary => ({
  id: flow.id,
  name: flow.name,
  enabled: flow.isEnabled,
  state: flowState(flow),
  hasChanges: flow.revision !== flow.publishedRevision,
  revision: flow.revision,
  published:
    flow.version === null || flow.publishedAt === null ? null : { version: flow.version, at: flow.publishedAt },
  triggers: [...flow.wireTriggers],
  limitedAt: flow.limitedAt,
  editedAt: flow.editedAt,
  editedBy: flow.editorName,
  week: { ...week },
})
