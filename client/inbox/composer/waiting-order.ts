import type { Message } from '#shared/inbox/messages.ts'

const isQueued = (message: Message) => message.status === 'queued' && !message.wamid && !message.unconfirmed

/**
 * Messages of a chat leave in order, so what was queued behind one that waits, waits as long. Events tell only of the
 * first; this tells it of the others, as the server does when it is asked.
 */
export const withOrderOfWaiting = (messages: readonly Message[]): Message[] => {
  const first = messages.find(isQueued)
  if (!first?.waiting)
    return messages.map(message => (message.waiting && isQueued(message) ? withoutWaiting(message) : message))
  const waiting = { reason: 'order', until: first.waiting.until } as const
  return messages.map(message => (message !== first && isQueued(message) ? { ...message, waiting } : message))
}

const withoutWaiting = ({ waiting: _, ...message }: Message): Message => message
