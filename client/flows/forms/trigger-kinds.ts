import { type FlowTrigger, type TriggerKind, triggerLimits } from '#shared/flows/triggers/triggers.ts'
import { newPartId } from '../editor/draft/part-id.ts'

/** The kinds in the order of the menu that adds one. */
export const triggerKinds: readonly TriggerKind[] = [
  'keyword',
  'firstMessage',
  'reopened',
  'action',
  'campaign',
  'ad',
  'tagAdded',
  'tagRemoved',
  'webhook',
  'manual',
  'default',
]

const usualAfterHours = 24

export const newTrigger = (kind: TriggerKind): FlowTrigger => {
  const id = newPartId()
  switch (kind) {
    case 'keyword':
      return { id, kind, match: 'equals', words: [] }
    case 'reopened':
      return { id, kind, afterHours: usualAfterHours }
    case 'action':
    case 'ad':
      return { id, kind, ids: [] }
    case 'campaign':
      return { id, kind, withinDays: triggerLimits.answerDays }
    case 'tagAdded':
    case 'tagRemoved':
      return { id, kind, changedTagId: '' }
    case 'webhook':
      return { id, kind, variables: [] }
    default:
      return { id, kind }
  }
}
