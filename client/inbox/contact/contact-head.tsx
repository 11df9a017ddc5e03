import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'

/** The title above the contact. */
export const ContactHead = ({ onClose }: { onClose: () => void }) => {
  const { t } = useTranslation('inbox')
  return (
    <header className="pane-head contact-head">
      <button
        type="button"
        className="icon-button"
        aria-label={t('contact.close')}
        data-tip={t('contact.close')}
        onClick={onClose}
      >
        <Icon name="close" />
      </button>
      <h2>{t('contact.title')}</h2>
    </header>
  )
}
