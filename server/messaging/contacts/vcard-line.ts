import type { ListedContact } from '#shared/contacts/api.ts'
import { isPhoneDigits } from '#shared/kernel/phone.ts'

/** Escapes a value. @see RFC 2426, 5 */
const escaped = (text: string): string => text.replace(/[\\,;]/g, '\\$&').replace(/\r\n|[\r\n]/g, '\\n')

/** A contact as a vCard 3.0, which every phone and mail program reads: name, number, username and tags. */
export function vcardOf({
  name,
  profileName,
  conversation,
}: Pick<ListedContact, 'name' | 'profileName' | 'conversation'>): string {
  const { phone, displayPhone, username, tags } = conversation
  const called = escaped(name || profileName || (username ? `@${username}` : displayPhone))
  return [
    'BEGIN:VCARD',
    'VERSION:3.0',
    `FN:${called}`,
    `N:;${called};;;`,
    ...(isPhoneDigits(phone) ? [`TEL;TYPE=CELL:+${phone}`] : []),
    ...(username ? [`NICKNAME:${escaped(username)}`] : []),
    ...(tags.length ? [`CATEGORIES:${tags.map(({ label }) => escaped(label)).join(',')}`] : []),
    'END:VCARD',
    '',
  ].join('\r\n')
}
