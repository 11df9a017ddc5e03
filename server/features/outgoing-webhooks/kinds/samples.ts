import type { Conversation } from '#shared/inbox/conversations.ts'
import type { Message } from '#shared/inbox/messages.ts'

const at = '2026-12-01T15:04:05.000Z'

export const sampleMessage: Message = {
  id: '0199a7c2f6d47c1a9b04',
  wamid: 'wamid.HBgNNTQ5MTE1NTU1MDEwMRUCABIYFjNBNTk',
  direction: 'in',
  type: 'text',
  text: 'Hola, ¿llegó mi pedido?',
  at,
  status: 'received',
}

export const sampleReply: Message = {
  ...sampleMessage,
  id: '0199a7c2f6d47c1a9b05',
  direction: 'out',
  text: 'Sale hoy a la tarde.',
  status: 'queued',
  author: { kind: 'person', name: 'Ana Gómez' },
}

export const sampleConversation: Conversation = {
  id: '0199a7c2f6d27c1a9b03',
  phone: '5491155550101',
  name: 'Lucía Fernández',
  displayPhone: '+54 9 11 5555-0101',
  username: null,
  lastMessage: { text: sampleMessage.text, type: 'text', at, direction: 'in', status: 'received' },
  unread: 1,
  tags: [{ id: '0199a7c2f6d37c1a', label: 'Pedidos', hue: 3 }],
  archived: false,
  windowClosesAt: '2026-12-02T15:04:05.000Z',
  control: 'human',
  assignee: { id: '0199a7c2f6d17f3b', name: 'Ana Gómez' },
}
