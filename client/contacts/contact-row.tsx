import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { keyFor } from '#client/app/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { TagChip } from '#client/tags/tag-chip.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { ListedContact } from '#shared/contacts/api.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { shortDate } from '#shared/kernel/time.ts'
import { NameEditor } from './name-editor.tsx'
import { useContactLink, useOpened } from './opened.tsx'

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

/** One contact of the list. */
export function Row({ contact, isPicked, onPick, onRenamed }: RowProps) {
  const { createdAt, lastActivityAt, profileName, conversation } = contact
  const { t, i18n } = useTranslation('contacts')
  const linkTo = useContactLink()
  const opened = useOpened()
  const address = addressOfConversation(conversation)
  const { timeZone } = useMoment()
  const row = useRef<HTMLLIElement>(null)
  const [isRenaming, setRenaming] = useState(false)
  const dayOf = (at: string) => shortDate(at, i18n.language as Language, timeZone)
  const { name, displayPhone, username, tags, optOut, phone } = conversation
  const beside = [displayPhone, username && `@${username}`].filter(one => one && one !== name).join(' · ')
  return (
    <li
      ref={row}
      className="contact-row"
      data-picked={isPicked || undefined}
      data-open={opened === address || undefined}
    >
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
            address={address}
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
            <Link {...linkTo(address)} preventScrollReset aria-current={opened === address} dir="auto">
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
        <span>{t('since', { when: dayOf(createdAt) })}</span>
      </small>
      <Actions conversation={conversation} onRename={() => setRenaming(true)} />
    </li>
  )
}
