import type { FlowNode } from '#shared/flows/graph.ts'
import type { TemplateChoice } from '#shared/flows/nodes/fields.ts'
import type { FlowEffect, FlowStep, TemplateRefusal } from './advance-types.ts'
import type { Next, RunningSession } from './running-session.ts'
import type { Fitted } from './speech.ts'

type Saying = FlowEffect & Partial<Fitted>
type Unsaid = TemplateRefusal | 'nothingToSay' | 'windowClosed'

/** The messages of a node: as they are written, or its template while WhatsApp's window is closed. */
export function speech(
  {
    fallback,
    hasContent,
    write,
  }: { fallback: TemplateChoice | undefined; hasContent: boolean; write(): Saying | Unsaid },
  session: RunningSession,
): Saying | Unsaid {
  if (!hasContent) return 'nothingToSay'
  if (session.world.isWindowOpen) return write()
  return fallback?.template ? session.byTemplate(fallback) : 'windowClosed'
}

const askedWhy = { whole: 'asked', cut: 'askedCut', asList: 'askedAsList' } as const

/** The node could not say it: it waits for the customer to write, or a person has to look. */
export function notSaid(node: FlowNode, why: Unsaid, session: RunningSession): Next {
  session.step(node, { why })
  return why === 'windowClosed' ? session.parkAt(node) : session.giveUp(why)
}

/** Records what a message or a template says. */
export function say(node: FlowNode, { fit = null, ...effect }: Saying, session: RunningSession): Next {
  const isFallback = effect.kind === 'template' && node.type !== 'template' && fit === null
  const why: FlowStep['why'] = isFallback ? 'byTemplate' : fit === null ? null : 'textCut'
  session.step(node, { effect, why, output: 'next' })
  return { output: 'next' }
}

/** Records what a question says, and waits for the answer. */
export function ask(node: FlowNode & { timeoutMs: number }, said: Saying | Unsaid, session: RunningSession): Next {
  if (typeof said === 'string') return notSaid(node, said, session)
  const { fit = null, ...effect } = said
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
