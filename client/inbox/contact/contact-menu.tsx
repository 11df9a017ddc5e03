import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useApi } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Contact } from '#shared/contacts/chat-contact.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { contactQuery } from '../queries.ts'
import { useSearchChat } from '../thread/head/search-chat.ts'

const ConfirmDialog = lazyDialog(async () => ({
  default: (await import('#client/ui/overlays/confirm-dialog.tsx')).ConfirmDialog,
}))
const MergeDialog = lazyDialog(() => import('./merge-dialog.tsx'))
const ErasureDialog = lazyDialog(() => import('#client/erasures/dialog.tsx'))

interface ContactMenuProps {
  readonly org: string
  readonly phone: string
  readonly contact: Contact
  /** It covers the chat. */
  readonly isOver: boolean
  /** Closes it, where it covers the chat. */
  onLeave(): void
}

/** The text that must be typed before the contact is erased. */
const confirmationOf = ({ identifiers, name, profileName }: Contact): string =>
  identifiers.find(({ kind }) => kind === 'phone')?.shown ?? name ?? profileName ?? identifiers[0]?.shown ?? ''

/** The rarely used actions on a contact. Dangerous ones come last, for owners and administrators. */
export function ContactMenu({ org, phone, contact, isOver, onLeave }: ContactMenuProps) {
  const { t } = useTranslation('inbox')
  const { t: erasures } = useTranslation('erasures')
  const role = effectiveRole(useOrg().role)
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [open, setOpen] = useState<'merge' | 'block' | 'erase'>()
  const canManage = roleCan(role, 'member:manage')
  const canErase = roleCan(role, 'contact:erase')
  const search = useSearchChat(org, phone, { replace: isOver })
  const shut = () => setOpen(undefined)
  return (
    <>
      <Menu
        label={t('contact.actions')}
        className="icon-button"
        side="below-end"
        tip={t('contact.actions')}
        button={
          <>
            <Icon name="more" />
            <span className="sr-only">{t('contact.actions')}</span>
          </>
        }
      >
        {() => (
          <>
            <MenuItem
              onClick={() => {
                onLeave()
                search()
              }}
            >
              {t('search.chat')}
            </MenuItem>
            {canManage ? <MenuItem onClick={() => setOpen('merge')}>{t('merge.open')}</MenuItem> : null}
            {canManage && !contact.block ? (
              <MenuItem danger onClick={() => setOpen('block')}>
                {t('contact.blockOpen')}
              </MenuItem>
            ) : null}
            {canErase ? (
              <MenuItem danger onClick={() => setOpen('erase')}>
                {erasures('open')}
              </MenuItem>
            ) : null}
          </>
        )}
      </Menu>
      {open === 'merge' ? <MergeDialog org={org} phone={phone} contact={contact} onClose={shut} /> : null}
      {open === 'block' ? (
        <ConfirmDialog
          title={t('contact.blockAsk')}
          says={[t('contact.blockArchives'), t('contact.blockMutes'), t('contact.blockMeta'), t('contact.blockUndo')]}
          confirm={t('contact.blockConfirm')}
          run={async () => {
            await api.contacts.blockContact({ params: { phone } })
            toast(t('contact.blocked'), { kind: 'success' })
            await client.invalidateQueries({ queryKey: contactQuery(org, phone).queryKey })
          }}
          onClose={shut}
        />
      ) : null}
      {open === 'erase' ? (
        <ErasureDialog
          phone={phone}
          confirmation={confirmationOf(contact)}
          onErased={async () => {
            onLeave()
            // The chat's address is gone.
            await navigate(paths.chats(org), { replace: true })
          }}
          onClose={shut}
        />
      ) : null}
    </>
  )
}
