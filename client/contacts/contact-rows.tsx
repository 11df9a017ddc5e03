import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { TagChip } from '#client/tags/tag-chip.tsx'
import { Avatar } from '#client/ui/avatar.tsx'
import { Empty } from '#client/ui/empty.tsx'
import { useMoment } from '#client/ui/moment.tsx'
import { MoreButton } from '#client/ui/more-button.tsx'
import { useSuspensePages } from '#client/use-paged-list.ts'
import { addressOfConversation } from '#shared/chat-address.ts'
import type { ListedContact } from '#shared/contacts.ts'
import { paths } from '#shared/paths.ts'
import { type ContactFilter, contactsQuery } from './queries.ts'

function Row({ contact: { createdAt, lastActivityAt, conversation } }: { contact: ListedContact }) {
  const { t, i18n } = useTranslation('contacts')
  const { slug } = useOrg()
  const { timeZone } = useMoment()
  const dayOf = (at: string) =>
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium', timeZone }).format(new Date(at))
  const { name, displayPhone, username, tags, optOut, phone } = conversation
  const beside = [displayPhone, username && `@${username}`].filter(one => one && one !== name).join(' · ')
  return (
    <li className="contact-row">
      <Avatar name={name} of={phone} />
      <div className="contact-who">
        <Link to={paths.chat(slug, addressOfConversation(conversation))}>{name}</Link>
        {beside ? <small>{beside}</small> : null}
      </div>
      <div className="contact-marks">
        {optOut ? <span className="chip chip-amber">{t('optedOut')}</span> : null}
        {tags.map(tag => (
          <TagChip key={tag.id} {...tag} />
        ))}
      </div>
      <small className="contact-times">
        <span>{t('last', { when: dayOf(lastActivityAt) })}</span>
        <span>{t('since', { when: dayOf(createdAt) })}</span>
      </small>
    </li>
  )
}

/** Contacts, the newest first. */
export function ContactRows({ filter }: { filter: ContactFilter }) {
  const { t } = useTranslation('contacts')
  const { slug } = useOrg()
  const list = useSuspensePages(contactsQuery(slug, filter))
  const contacts = list.data.pages.flatMap(page => page.items)
  if (!contacts.length && !list.hasNextPage)
    return Object.keys(filter).length ? (
      <Empty
        icon="search"
        says={t('noneFound')}
        action={
          <Link className="button" to={paths.contacts(slug)}>
            {t('clear')}
          </Link>
        }
      />
    ) : (
      <Empty icon="person" says={t('none')} />
    )
  return (
    <>
      <ul className="contact-rows">
        {contacts.map(contact => (
          <Row key={contact.id} contact={contact} />
        ))}
      </ul>
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
    </>
  )
}
