import type { FlowEffect } from '#server/features/flows/step/turn.ts'
import type { OutboundMessage } from '#shared/inbox/message-kinds.ts'

/** What comes back when an option is tapped: of which session and node it was, so that an old button is known as such. */
export const optionIdFor = (sessionId: string, nodeId: string, optionId: string): string =>
  `flow.${sessionId}.${nodeId}.${optionId}`

/** Of another session, or of no flow: an option of no node that is there. */
export const readOptionId = (id: string, sessionId: string): { nodeId: string; optionId: string } => {
  const [kind, session, nodeId = '', optionId = ''] = id.split('.')
  return kind === 'flow' && session === sessionId ? { nodeId, optionId } : { nodeId: '', optionId: '' }
}

/** The options of a step as WhatsApp takes them: buttons, or the rows of a list. */
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
