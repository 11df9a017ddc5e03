import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/lazy-dialog.tsx'
import type { Contact } from '#shared/contacts.ts'
import { paths } from '#shared/paths.ts'
import { effectiveRole, roleCan } from '#shared/permissions.ts'

const ErasureDialog = lazyDialog(() => import('./erasure-dialog.tsx'))

interface ContactErasureProps {
  readonly org: string
  readonly phone: string
  readonly contact: Contact
  /** Closes what shows the contact, who is no more. */
  onClose(): void
}

/** The way to take a contact out of everything there is; for owners and administrators. */
export function ContactErasure({ org, phone, contact, onClose }: ContactErasureProps) {
  const { t } = useTranslation('inbox')
  const { role } = useOrg()
  const navigate = useNavigate()
  const [isAsking, setAsking] = useState(false)
  if (!roleCan(effectiveRole(role), 'contact:erase')) return null
  const leave = async () => {
    onClose()
    await navigate(paths.chats(org))
  }
  return (
    <section className="contact-part">
      <h3>{t('erasure.title')}</h3>
      <p>{t('erasure.text')}</p>
      <div>
        <button type="button" className="button button-danger" onClick={() => setAsking(true)}>
          {t('erasure.open')}
        </button>
      </div>
      {isAsking ? (
        <ErasureDialog phone={phone} contact={contact} onErased={leave} onClose={() => setAsking(false)} />
      ) : null}
    </section>
  )
}
