import type { EventActor } from '#server/platform/events/actor.ts'
import type { FlowMessage, FlowMessages } from '../inbox.ts'
import type { FlowEffect, FlowStep } from '../step/advance-types.ts'
import { optionIdFor, whatsAppOptions } from './options.ts'
import type { insertSteps, StoredSession } from './session-store.ts'

export interface AdvanceMessages {
  readonly sent: FlowMessages
  /** The stored rows of the steps. */
  readonly rows: Parameters<typeof insertSteps>[1]
}

const contentOf = (effect: FlowEffect, sessionId: string): FlowMessage | undefined => {
  if (effect.kind === 'text') return { type: 'text', text: effect.text }
  if (effect.kind === 'media') {
    const { kind, url, name } = effect.media
    const more = { ...(name ? { name } : {}), ...(effect.text ? { caption: effect.text } : {}) }
    return { type: 'linked', kind, url, ...more }
  }
  if (effect.kind === 'template') return { type: 'template', ready: effect.ready }
  if (effect.kind === 'options')
    return whatsAppOptions(effect, optionId => optionIdFor(sessionId, effect.nodeId, optionId))
  return undefined
}

/** The effect only sends a message. */
export const isMessage = ({ kind }: FlowEffect): boolean => kind === 'text' || kind === 'media' || kind === 'options'

/**
 * The messages of an advance, and the stored rows of its steps. A message's key names its step, so it is never sent twice.
 */
export function messagesOfAdvance(
  session: StoredSession,
  steps: readonly FlowStep[],
  { by, at }: { by: EventActor; at: string },
): AdvanceMessages {
  const idOf = (index: number) => `${session.id}-${session.steps + index + 1}`
  const contents = steps.map(({ effect }) => effect && contentOf(effect, session.id))
  return {
    sent: {
      conversationId: session.conversationId,
      messages: contents.flatMap((content, i) => (content ? [{ id: idOf(i), content }] : [])),
      by,
    },
    rows: steps.map((step, i) => ({
      session_id: session.id,
      place: session.steps + i + 1,
      node_id: step.nodeId,
      at,
      input: step.input,
      output: step.output,
      why: step.why,
      changes: Object.keys(step.changes).length ? JSON.stringify(step.changes) : null,
      message_id: contents[i] ? idOf(i) : null,
      call: step.call ? JSON.stringify(step.call) : null,
    })),
  }
}
