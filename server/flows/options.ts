import type { FlowEffect } from '#shared/flow-turn.ts'
import { type OutboundMessage, outboundLimits } from '#shared/outbound.ts'

/** What comes back when an option is tapped: of which session and node it was, so that an old button is known as such. */
export const optionIdFor = (sessionId: string, nodeId: string, optionId: string): string =>
  `flow.${sessionId}.${nodeId}.${optionId}`

/** Of another session, or of no flow: an option of no node that is there. */
export const readOptionId = (id: string, sessionId: string): { nodeId: string; optionId: string } => {
  const [kind, session, nodeId = '', optionId = ''] = id.split('.')
  return kind === 'flow' && session === sessionId ? { nodeId, optionId } : { nodeId: '', optionId: '' }
}

/** Up to three options are buttons, more are the rows of a list. */
export function whatsAppOptions(
  { node, text }: Extract<FlowEffect, { kind: 'options' }>,
  idOf: (optionId: string) => string,
): Extract<OutboundMessage, { type: 'interactive' }> {
  const isList = node.options.length > outboundLimits.buttons
  const body = [...text].slice(0, isList ? outboundLimits.listBody : outboundLimits.interactiveBody).join('')
  const options = node.options.map(({ id, title, description }) => ({
    id: idOf(id),
    title: title.trim(),
    ...(isList && description?.trim() ? { description: description.trim() } : {}),
  }))
  return {
    type: 'interactive',
    body,
    interactive: isList
      ? { list: { title: node.listLabel?.trim() ?? '', sections: [{ rows: options }] } }
      : { buttons: options.map(({ id, title }) => ({ id, title })) },
  }
}
