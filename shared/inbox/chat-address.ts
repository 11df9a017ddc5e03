import { isBusinessScopedId, isPhoneDigits } from '#shared/kernel/phone.ts'
import type { Conversation } from './conversations.ts'

/** False for short numbers, usernames and groups, which cannot address a chat. */
export const isAddress = (phone: string): boolean => isPhoneDigits(phone) || isBusinessScopedId(phone)

/**
 * The address of a conversation's page: the customer's, or its own id if the customer may have several conversations or
 * no address.
 */
export const addressOfConversation = ({ id, phone, number }: Pick<Conversation, 'id' | 'phone' | 'number'>): string =>
  number === undefined && isAddress(phone) ? phone : id

/** The address of a live event's conversation. */
export const addressOfEvent = ({ number, address }: { number: string; address?: string }): string => address ?? number
