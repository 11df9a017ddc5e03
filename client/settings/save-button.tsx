import { useTranslation } from 'react-i18next'

interface SaveButtonProps {
  /** Whether something is changed and not being saved already. The form's action asks for the same. */
  readonly canSave: boolean
  /** Absent: `Guardar`. */
  readonly label?: string
}

/**
 * Submits a settings form. It is never `disabled`: before hydration no change is known, and Enter in a field does
 * nothing while the form's button is disabled.
 */
export function SaveButton({ canSave, label }: SaveButtonProps) {
  const { t } = useTranslation('settings')
  return (
    <button type="submit" className="button button-primary" aria-disabled={!canSave}>
      {label ?? t('save')}
    </button>
  )
}
