import type { Message } from '#shared/inbox/messages.ts'

const isQueued = (message: Message) => message.status === 'queued' && !message.wamid && !message.unconfirmed

/**
 * Messages of a chat are sent in order, so those behind a waiting one wait too. Events only report the first; this sets
 * the others, like the server's answer does.
 */
export const withOrderOfWaiting = (messages: readonly Message[]): Message[] => {
  const first = messages.find(isQueued)
  if (!first?.waiting)
    return messages.map(message => (message.waiting && isQueued(message) ? withoutWaiting(message) : message))
  const waiting = { reason: 'order', until: first.waiting.until } as const
  return messages.map(message => (message !== first && isQueued(message) ? { ...message, waiting } : message))
}

const withoutWaiting = ({ waiting: _, ...message }: Message): Message => message
