import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import type { Contact } from '#shared/contacts/api.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'

const ErasureDialog = lazyDialog(() => import('#client/erasures/dialog.tsx'))

interface ContactErasureProps {
  readonly org: string
  readonly phone: string
  readonly contact: Contact
  /** Closes what shows the erased contact. */
  onClose(): void
}

const confirmationOf = ({ identifiers, name, profileName }: Contact): string =>
  identifiers.find(({ kind }) => kind === 'phone')?.shown ?? name ?? profileName ?? identifiers[0]?.shown ?? ''

/** Erases a contact. For owners and administrators. */
export function ContactErasure({ org, phone, contact, onClose }: ContactErasureProps) {
  const { t } = useTranslation('erasures')
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
      <h3>{t('title')}</h3>
      <p>{t('text')}</p>
      <div>
        <button type="button" className="button button-danger" onClick={() => setAsking(true)}>
          {t('open')}
        </button>
      </div>
      {isAsking ? (
        <ErasureDialog
          phone={phone}
          confirmation={confirmationOf(contact)}
          onErased={leave}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </section>
  )
}
