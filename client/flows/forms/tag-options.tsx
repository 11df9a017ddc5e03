import { useTranslation } from 'react-i18next'
import { useEditorFacts } from '../editor/editor-context.ts'

/** The organization's tags as options of a `select`; a deleted one is marked. */
export function TagOptions({ chosen }: { readonly chosen: string }) {
  const { t } = useTranslation('flows')
  const { names } = useEditorFacts()
  return (
    <>
      {chosen ? null : <option value="">{t('field.choose')}</option>}
      {chosen && !names.tags.has(chosen) ? <option value={chosen}>{t('field.gone')}</option> : null}
      {[...names.tags].map(([id, label]) => (
        <option key={id} value={id} dir="auto">
          {label}
        </option>
      ))}
    </>
  )
}
