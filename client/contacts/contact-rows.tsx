import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { keyFor } from '#client/app/queries.ts'
import { useSuspensePages } from '#client/app/use-paged-list.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { TagChip } from '#client/tags/tag-chip.tsx'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { ListedContact } from '#shared/contacts/api.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { shortDate } from '#shared/kernel/time.ts'
import { type ContactFilter, contactsQuery } from './queries.ts'

const ErasureDialog = lazyDialog(() => import('#client/erasures/dialog.tsx'))

/** Actions on a contact: erasing it, for owners and administrators. */
function Actions({ conversation }: Pick<ListedContact, 'conversation'>) {
  const { t } = useTranslation('contacts')
  const { t: erasing } = useTranslation('erasures')
  const { slug, role } = useOrg()
  const client = useQueryClient()
  const [isErasing, setErasing] = useState(false)
  if (!roleCan(effectiveRole(role), 'contact:erase')) return null
  const { name, displayPhone } = conversation
  const close = () => setErasing(false)
  const leave = async () => {
    close()
    await client.invalidateQueries({ queryKey: keyFor(slug, 'contacts.listContacts') })
  }
  return (
    <div className="contact-actions">
      <RowMenu
        label={t('actions', { name })}
        items={() => (
          <MenuItem danger onClick={() => setErasing(true)}>
            {erasing('open')}
          </MenuItem>
        )}
      />
      {isErasing ? (
        <ErasureDialog
          phone={addressOfConversation(conversation)}
          confirmation={displayPhone || name}
          onErased={leave}
          onClose={close}
        />
      ) : null}
    </div>
  )
}

function Row({ contact: { createdAt, lastActivityAt, conversation } }: { contact: ListedContact }) {
  const { t, i18n } = useTranslation('contacts')
  const { slug } = useOrg()
  const { timeZone } = useMoment()
  const dayOf = (at: string) => shortDate(at, i18n.language as Language, timeZone)
  const { name, displayPhone, username, tags, optOut, phone } = conversation
  const beside = [displayPhone, username && `@${username}`].filter(one => one && one !== name).join(' · ')
  return (
    <li className="contact-row">
      <Avatar name={name} of={phone} />
      <div className="contact-who">
        <Link to={paths.chat(slug, addressOfConversation(conversation))} dir="auto">
          {name}
        </Link>
        {beside ? <small>{beside}</small> : null}
      </div>
      <div className="contact-marks wrap">
        {optOut ? <span className="chip chip-amber">{t('optedOut')}</span> : null}
        {tags.map(tag => (
          <TagChip key={tag.id} {...tag} />
        ))}
      </div>
      <small className="contact-times">
        <span>{t('last', { when: dayOf(lastActivityAt) })}</span>
        <span>{t('since', { when: dayOf(createdAt) })}</span>
      </small>
      <Actions conversation={conversation} />
    </li>
  )
}

/** Contacts, newest first. */
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
