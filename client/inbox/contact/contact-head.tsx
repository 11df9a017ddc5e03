import './styles/waits.css'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'

/** The title above the contact. `isOver`: it covers the chat, to which an arrow leads back on phones. */
export const ContactHead = ({ isOver = false, onClose }: { isOver?: boolean; onClose: () => void }) => {
  const { t } = useTranslation('inbox')
  return (
    <header className={isOver ? 'pane-head contact-head contact-over' : 'pane-head contact-head'}>
      <button
        type="button"
        className="icon-button"
        aria-label={t('contact.close')}
        data-tip={t('contact.close')}
        onClick={onClose}
      >
        <Icon name="close" />
        {isOver ? <Icon name="back" /> : null}
      </button>
      <h2>{t('contact.title')}</h2>
    </header>
  )
}
