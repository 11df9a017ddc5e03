import type { Conversation } from './inbox.ts'

/** What a conversation's page is opened by: its customer, or its own id where one customer may have several. */
export const addressOfConversation = ({ id, phone, number }: Pick<Conversation, 'id' | 'phone' | 'number'>): string =>
  number === undefined ? phone : id

/** The same of what an event is about. */
export const addressOfEvent = ({ number, address }: { number: string; address?: string }): string => address ?? number
