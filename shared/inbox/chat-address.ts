import { isBusinessScopedId, isPhoneDigits } from '#shared/kernel/phone.ts'
import type { Conversation } from './conversations.ts'

/** Whether a chat is found by this: a short number, a username, a group or whoever cannot be told is found by none. */
export const isAddress = (phone: string): boolean => isPhoneDigits(phone) || isBusinessScopedId(phone)

/**
 * What a conversation's page is opened by: its customer, or its own id where one customer may have several or is found
 * by nothing else.
 */
export const addressOfConversation = ({ id, phone, number }: Pick<Conversation, 'id' | 'phone' | 'number'>): string =>
  number === undefined && isAddress(phone) ? phone : id

/** The same of what an event is about. */
export const addressOfEvent = ({ number, address }: { number: string; address?: string }): string => address ?? number
