import type { FlowNode } from '#shared/flows/graph.ts'
import type { TemplateChoice } from '#shared/flows/nodes/fields.ts'
import type { FlowEffect, FlowStep, TemplateRefusal } from './advance-types.ts'
import type { Fitted } from './message-texts.ts'
import type { Next, RunningSession } from './running-session.ts'

type Sending = FlowEffect & Partial<Fitted>
type Unsent = TemplateRefusal | 'nothingToSay' | 'windowClosed'

/** The messages of a node: as they are written, or its template while WhatsApp's window is closed. */
export function composeMessage(
  {
    fallback,
    hasContent,
    write,
  }: { fallback: TemplateChoice | undefined; hasContent: boolean; write(): Sending | Unsent },
  session: RunningSession,
): Sending | Unsent {
  if (!hasContent) return 'nothingToSay'
  if (session.world.isWindowOpen) return write()
  return fallback?.template ? session.byTemplate(fallback) : 'windowClosed'
}

const askedWhy = { whole: 'asked', cut: 'askedCut', asList: 'askedAsList' } as const

/** The node could not say it: it waits for the customer to write, or a person has to look. */
export function giveUpSending(node: FlowNode, why: Unsent, session: RunningSession): Next {
  session.step(node, { why })
  return why === 'windowClosed' ? session.parkAt(node) : session.giveUp(why)
}

/** Records what a message or a template says. */
export function say(node: FlowNode, { fit = null, ...effect }: Sending, session: RunningSession): Next {
  const isFallback = effect.kind === 'template' && node.type !== 'template' && fit === null
  const why: FlowStep['why'] = isFallback ? 'byTemplate' : fit === null ? null : 'textCut'
  session.step(node, { effect, why, output: 'next' })
  return { output: 'next' }
}

/** Records what a question says, and waits for the answer. */
export function ask(node: FlowNode & { timeoutMs: number }, message: Sending | Unsent, session: RunningSession): Next {
  if (typeof message === 'string') return giveUpSending(node, message, session)
  const { fit = null, ...effect } = message
  const isFallback = effect.kind === 'template' && fit === null
  session.step(node, { effect, why: isFallback ? 'byTemplate' : askedWhy[fit ?? 'whole'] })
  return session.waitForAnswer(node, node.timeoutMs)
}

/** The output for a wait that nobody answered in time. Undefined: the node does not limit the time. */
export function timeOut(node: FlowNode & { timeoutMs: number }, session: RunningSession): Next | undefined {
  if (!node.timeoutMs) return undefined
  session.step(node, { output: 'timeout', why: 'noAnswer' })
  return { output: 'timeout' }
}
