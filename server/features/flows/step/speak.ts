import type { FlowNode } from '#shared/flows/graph.ts'
import type { TemplateChoice } from '#shared/flows/nodes/fields.ts'
import type { Next, SessionTurn } from './session-turn.ts'
import type { Fitted } from './speech.ts'
import type { FlowEffect, FlowStep, TemplateRefusal } from './turn.ts'

type Saying = FlowEffect & Partial<Fitted>
type Unsaid = TemplateRefusal | 'nothingToSay' | 'windowClosed'

/** The messages of a node: as they are written, or its template while WhatsApp's window is closed. */
export function speech(
  {
    fallback,
    hasContent,
    write,
  }: { fallback: TemplateChoice | undefined; hasContent: boolean; write(): Saying | Unsaid },
  turn: SessionTurn,
): Saying | Unsaid {
  if (!hasContent) return 'nothingToSay'
  if (turn.world.isWindowOpen) return write()
  return fallback?.template ? turn.byTemplate(fallback) : 'windowClosed'
}

const askedWhy = { whole: 'asked', cut: 'askedCut', asList: 'askedAsList' } as const

/** The node could not say it: it waits for the customer to write, or a person has to look. */
export function notSaid(node: FlowNode, why: Unsaid, turn: SessionTurn): Next {
  turn.step(node, { why })
  return why === 'windowClosed' ? turn.parkAt(node) : turn.giveUp(why)
}

/** Records what a message or a template says. */
export function say(node: FlowNode, { fit = null, ...effect }: Saying, turn: SessionTurn): Next {
  const isFallback = effect.kind === 'template' && node.type !== 'template' && fit === null
  const why: FlowStep['why'] = isFallback ? 'byTemplate' : fit === null ? null : 'textCut'
  turn.step(node, { effect, why, output: 'next' })
  return { output: 'next' }
}

/** Records what a question says, and waits for the answer. */
export function ask(node: FlowNode & { timeoutMs: number }, said: Saying | Unsaid, turn: SessionTurn): Next {
  if (typeof said === 'string') return notSaid(node, said, turn)
  const { fit = null, ...effect } = said
  const isFallback = effect.kind === 'template' && fit === null
  turn.step(node, { effect, why: isFallback ? 'byTemplate' : askedWhy[fit ?? 'whole'] })
  return turn.waitForAnswer(node, node.timeoutMs)
}

/** The output for a wait that nobody answered in time. Undefined: the node does not limit the time. */
export function timeOut(node: FlowNode & { timeoutMs: number }, turn: SessionTurn): Next | undefined {
  if (!node.timeoutMs) return undefined
  turn.step(node, { output: 'timeout', why: 'noAnswer' })
  return { output: 'timeout' }
}
