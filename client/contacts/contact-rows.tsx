import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
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
import { maxChatsAtOnce } from '#shared/inbox/inbox.ts'
import type { Language } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { shortDate } from '#shared/kernel/time.ts'
import { NameEditor } from './name-editor.tsx'
import { OpenedContact, useContactLink } from './opened.tsx'
import { type ContactFilter, contactsQuery } from './queries.ts'
import { Selection } from './selection.tsx'

const ErasureDialog = lazyDialog(() => import('#client/erasures/dialog.tsx'))

/** Actions on a contact: naming it, and erasing it, for owners and administrators. */
function Actions({ conversation, onRename }: Pick<ListedContact, 'conversation'> & { onRename(): void }) {
  const { t } = useTranslation('contacts')
  const { t: erasing } = useTranslation('erasures')
  const { slug, role } = useOrg()
  const client = useQueryClient()
  const [isErasing, setErasing] = useState(false)
  const may = effectiveRole(role)
  if (!roleCan(may, 'chat:reply')) return null
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
          <>
            <MenuItem onClick={() => onRename()}>{t('edit.open')}</MenuItem>
            {roleCan(may, 'contact:erase') ? (
              <MenuItem danger onClick={() => setErasing(true)}>
                {erasing('open')}
              </MenuItem>
            ) : null}
          </>
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

interface RowProps {
  readonly contact: ListedContact
  readonly isPicked: boolean
  /** Absent: contacts are not selected here. */
  readonly onPick: ((isPicked: boolean) => void) | undefined
  onRenamed(): Promise<unknown>
}

function Row({ contact, isPicked, onPick, onRenamed }: RowProps) {
  const { createdAt, lastActivityAt, profileName, conversation } = contact
  const { t, i18n } = useTranslation('contacts')
  const linkTo = useContactLink()
  const { timeZone } = useMoment()
  const row = useRef<HTMLLIElement>(null)
  const [isRenaming, setRenaming] = useState(false)
  const dayOf = (at: string) => shortDate(at, i18n.language as Language, timeZone)
  const { name, displayPhone, username, tags, optOut, phone } = conversation
  const beside = [displayPhone, username && `@${username}`].filter(one => one && one !== name).join(' · ')
  return (
    <li ref={row} className="contact-row" data-picked={isPicked || undefined}>
      {onPick ? (
        <input
          type="checkbox"
          className="contact-pick"
          aria-label={t('select.one', { name })}
          checked={isPicked}
          onChange={({ target }) => onPick(target.checked)}
        />
      ) : (
        <span />
      )}
      <Avatar name={name} of={phone} />
      <div className="contact-who">
        {isRenaming ? (
          <NameEditor
            address={addressOfConversation(conversation)}
            name={name}
            profileName={profileName}
            onSaved={onRenamed}
            onClose={() => {
              setRenaming(false)
              row.current?.querySelector<HTMLElement>('.contact-actions button')?.focus()
            }}
          />
        ) : (
          <>
            <Link to={linkTo(addressOfConversation(conversation))} preventScrollReset aria-haspopup="dialog" dir="auto">
              {name}
            </Link>
            {beside ? <small>{beside}</small> : null}
          </>
        )}
      </div>
      <div className="contact-marks wrap">
        {optOut ? <span className="chip chip-amber">{t('optedOut')}</span> : null}
        {tags.map(tag => (
          <TagChip key={tag.id} {...tag} />
        ))}
      </div>
      <small className="contact-times">
        <span>{t('last', { when: dayOf(lastActivityAt) })}</span>
        {/* Messages may be older than the contact here, such as those that were imported. */}
        <span>{t('since', { when: dayOf(createdAt < lastActivityAt ? createdAt : lastActivityAt) })}</span>
      </small>
      <Actions conversation={conversation} onRename={() => setRenaming(true)} />
    </li>
  )
}

/** Contacts, newest first. */
export function ContactRows({ filter }: { filter: ContactFilter }) {
  const { t } = useTranslation('contacts')
  const { slug, role } = useOrg()
  const client = useQueryClient()
  const [pickedIds, setPickedIds] = useState<ReadonlySet<string>>(new Set())
  const list = useSuspensePages(contactsQuery(slug, filter))
  const contacts = list.data.pages.flatMap(page => page.items)
  const picked = contacts.filter(({ id }) => pickedIds.has(id))
  const pick = (ids: readonly string[], isOn: boolean) => {
    const next = new Set(picked.map(({ id }) => id))
    for (const id of ids)
      if (!isOn) next.delete(id)
      else if (next.size < maxChatsAtOnce) next.add(id)
    setPickedIds(next)
  }
  const reload = () => client.invalidateQueries({ queryKey: keyFor(slug, 'contacts.listContacts') })
  const canPick = roleCan(effectiveRole(role), 'chat:reply')
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
      {canPick ? (
        <div className="contact-select line">
          <label className="tick">
            <input
              type="checkbox"
              checked={picked.length > 0 && picked.length === Math.min(contacts.length, maxChatsAtOnce)}
              onChange={({ target }) =>
                pick(
                  contacts.map(({ id }) => id),
                  target.checked,
                )
              }
            />
            {t('select.all', { count: Math.min(contacts.length, maxChatsAtOnce) })}
          </label>
        </div>
      ) : null}
      <ul className="contact-rows">
        {contacts.map(contact => (
          <Row
            key={contact.id}
            contact={contact}
            isPicked={pickedIds.has(contact.id)}
            onPick={canPick ? isOn => pick([contact.id], isOn) : undefined}
            onRenamed={reload}
          />
        ))}
      </ul>
      <OpenedContact contacts={contacts} />
      <MoreButton list={list} more={t('more')} failed={t('moreFailed')} />
      {picked.length ? <Selection picked={picked} onChanged={reload} onClear={() => setPickedIds(new Set())} /> : null}
    </>
  )
}
