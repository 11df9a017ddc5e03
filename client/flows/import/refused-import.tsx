import { useTranslation } from 'react-i18next'
import type { ApiError } from '#client/app/calls/api-error.ts'

const shown = 5

/** The errors of a file, as far as the user can fix them; nothing was imported. */
export function RefusedImport({ details }: Pick<ApiError, 'details'>) {
  const { t } = useTranslation('flows')
  return (
    <>
      {t('importRefused.says')}
      <ul className="flow-import-faults">
        {details.slice(0, shown).map(({ field, message }) => (
          <li key={field}>
            <code>{field.replace(/^body\./, '')}</code> {message}
          </li>
        ))}
      </ul>
      {details.length > shown ? t('importRefused.more', { count: details.length - shown }) : null}
    </>
  )
}
