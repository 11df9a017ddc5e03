import { useTranslation } from 'react-i18next'

interface ContactButtonsProps {
  readonly save: string
  readonly isSaving: boolean
  onCancel(): void
}

/** Save and cancel buttons of a field. */
export const ContactButtons = ({ save, isSaving, onCancel }: ContactButtonsProps) => {
  const { t } = useTranslation('common')
  return (
    <div className="contact-buttons wrap">
      <button type="submit" className="button" aria-disabled={isSaving}>
        {save}
      </button>
      <button type="button" className="button button-quiet" onClick={onCancel}>
        {t('cancel')}
      </button>
    </div>
  )
}
