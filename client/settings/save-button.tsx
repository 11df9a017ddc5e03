import { useTranslation } from 'react-i18next'
import { useUnsaved } from './unsaved.tsx'

interface SaveButtonProps {
  /** True if something is changed and not being saved already. The form's action asks for the same. */
  readonly canSave: boolean
  /** True if something is changed. Absent: the same as `canSave`. */
  readonly isChanged?: boolean
  /** Absent: `Guardar`. */
  readonly label?: string
  /** Replaces what was typed by what is stored. */
  onDiscard?(): void
}

/**
 * Submits a settings form. It is never `disabled`: before hydration no change is known, and Enter in a field does
 * nothing while the form's button is disabled.
 */
export function SaveButton({ canSave, isChanged = canSave, label, onDiscard }: SaveButtonProps) {
  const { t } = useTranslation('settings')
  useUnsaved(isChanged)
  return (
    <div className="save-bar" data-changed={isChanged}>
      <button type="submit" className="button button-primary" aria-disabled={!canSave}>
        {label ?? t('save')}
      </button>
      {isChanged && onDiscard ? (
        <button type="button" className="button" onClick={onDiscard}>
          {t('unsaved.discard')}
        </button>
      ) : null}
      <span>{isChanged ? t('unsaved.says') : ''}</span>
    </div>
  )
}
