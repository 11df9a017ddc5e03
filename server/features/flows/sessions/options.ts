import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'
import type { FlowEffect } from '../step/advance-types.ts'

/** The id that a tapped option returns: it names session and node, so that a tap on an old button is recognized. */
export const optionIdFor = (sessionId: string, nodeId: string, optionId: string): string =>
  `flow.${sessionId}.${nodeId}.${optionId}`

/** Both parts are empty if the option belongs to another session, or to no flow. */
export const readOptionId = (id: string, sessionId: string): { nodeId: string; optionId: string } => {
  const [kind, session, nodeId = '', optionId = ''] = id.split('.')
  return kind === 'flow' && session === sessionId ? { nodeId, optionId } : { nodeId: '', optionId: '' }
}

/** A node's options in WhatsApp's format: buttons, or rows of a list. */
export function whatsAppOptions(
  { text, options, listLabel }: Extract<FlowEffect, { kind: 'options' }>,
  idOf: (optionId: string) => string,
): Extract<OutboundMessage, { type: 'interactive' }> {
  const rows = options.map(({ id, title, description }) => ({
    id: idOf(id),
    title,
    ...(description ? { description } : {}),
  }))
  return {
    type: 'interactive',
    body: text,
    interactive: listLabel === null ? { buttons: rows } : { list: { title: listLabel, sections: [{ rows }] } },
  }
}
