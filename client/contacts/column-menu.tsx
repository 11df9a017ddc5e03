import { useTranslation } from 'react-i18next'
import { useOptionalAnswer } from '#client/app/queries/use-answer.ts'
import { contactFieldsQuery } from '#client/segments/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Menu } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { maxColumns, useColumns } from './columns.ts'

/** Chooses the fields of contacts that the table shows. Renders nothing if there are no fields. */
export function ColumnMenu() {
  const { t } = useTranslation('contacts')
  const { slug } = useOrg()
  const fields = useOptionalAnswer(contactFieldsQuery(slug))?.items ?? []
  const [columns, show] = useColumns(fields)
  if (!fields.length) return null
  const isFull = columns.length >= maxColumns
  return (
    <div className="contact-columns">
      <Menu
        label={t('columns')}
        className="icon-button"
        side="below-end"
        role="group"
        tip={t('columns')}
        button={
          <>
            <Icon name="columns" />
            <span className="sr-only">{t('columns')}</span>
          </>
        }
      >
        {() => (
          <>
            {fields.map(({ id, label }) => {
              const isOn = columns.some(column => column.id === id)
              return (
                <label key={id} className="check contact-column">
                  <input
                    type="checkbox"
                    checked={isOn}
                    disabled={!isOn && isFull}
                    onChange={({ target }) => show(id, target.checked)}
                  />
                  <span dir="auto">{label}</span>
                </label>
              )
            })}
            {fields.length > maxColumns ? <p className="fine">{t('columnsMost', { count: maxColumns })}</p> : null}
          </>
        )}
      </Menu>
    </div>
  )
}
