import { useTranslation } from 'react-i18next'

/** The only button of a dialog that shows something or saves each change at once. */
export function DialogClose({ onClose }: { onClose(): void }) {
  const { t } = useTranslation()
  return (
    <div className="dialog-buttons">
      <button type="button" className="button" onClick={onClose}>
        {t('close')}
      </button>
    </div>
  )
}
