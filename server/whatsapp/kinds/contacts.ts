import { digitsOf, isPhoneDigits } from '#shared/kernel/phone.ts'
import type { OutboundContact } from '#shared/outbound/api.ts'
import { fault } from './asked.ts'
import { readContactCards } from './contact-cards.ts'
import type { Kinds } from './kind.ts'

/** With `wa_id`, WhatsApp shows a button to chat. It must be a complete international number. */
const phonePart = (phone: string) => {
  const digits = digitsOf(phone)
  return { phone, type: 'CELL', ...(phone.startsWith('+') && isPhoneDigits(digits) ? { wa_id: digits } : {}) }
}

/** Meta requires one part of the name, such as `first_name`, besides `formatted_name`. */
const cardPart = ({ name, phones, emails, company }: OutboundContact) => ({
  name: { formatted_name: name, first_name: name },
  phones: phones.map(phonePart),
  ...(emails?.length ? { emails: emails.map(email => ({ email, type: 'WORK' })) } : {}),
  ...(company ? { org: { company } } : {}),
})

export const contactsKinds = {
  contacts: {
    reads: { contacts: (_part, message) => readContactCards(message.contacts) },
    sends: {
      contacts: {
        asked: {
          type: 'contacts',
          read: ({ contacts }) => {
            if (!contacts) throw fault('contacts', 'required')
            return { type: 'contacts', contacts }
          },
          example: { contacts: [{ name: 'Ana Paz', phones: ['+54 9 11 5555-1234'] }] },
        },
        shown: ({ contacts }) => {
          const cards = contacts.map(({ emails = [], ...card }) => ({ ...card, emails }))
          return { type: 'contacts', text: cards[0]?.name ?? '', content: { contacts: cards } }
        },
        part: ({ contacts }) => ({ type: 'contacts', contacts: contacts.map(cardPart) }),
      },
    },
  },
} satisfies Kinds
