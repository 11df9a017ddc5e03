import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { ContactCard } from '#client/inbox/contact/contact-card.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'

interface ContactSideProps {
  readonly org: string
  /** The address of the contact's chat. */
  readonly address: string
  /** Undefined: the contact is not among the loaded rows. */
  readonly name: string | undefined
  readonly canReply: boolean
  onClose(): void
}

/** A contact beside the list, as it is shown beside a chat, with a way into the chat. */
export default function ContactSide({ org, address, name, canReply, onClose }: ContactSideProps) {
  const { t } = useTranslation('contacts')
  const title = t('side.title')
  return (
    <Modal title={name ?? title} place="side" onClose={onClose}>
      <header className="contact-side-head line">
        <span className="grow">{title}</span>
        <Link className="button" to={paths.chat(org, address)}>
          <Icon name="chat" />
          {t('side.chat')}
        </Link>
        <button type="button" className="icon-button" data-tip={t('side.close')} onClick={onClose}>
          <Icon name="close" />
          <span className="sr-only">{t('side.close')}</span>
        </button>
      </header>
      <ContactCard org={org} phone={address} canReply={canReply} onLeave={onClose} />
    </Modal>
  )
}
