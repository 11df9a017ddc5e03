import type { Message } from '#shared/inbox/messages.ts'
import type { InboxT } from '../words.ts'

type Card = NonNullable<Message['contacts']>[number]

/** The lines of a contact card below its name, without duplicates. Its websites are shown as links by the caller. */
export const cardLines = ({ title, company, phones, emails, addresses = [], birthday }: Card, t: InboxT): string[] => {
  const work = [title, company].filter(Boolean).join(', ')
  const lines = [work, ...phones, ...emails, ...addresses, birthday ? t('card.birthday', { day: birthday }) : '']
  return [...new Set(lines.filter(line => line !== ''))]
}
