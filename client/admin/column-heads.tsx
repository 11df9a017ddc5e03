import { useTranslation } from 'react-i18next'

interface ColumnHeadsProps {
  readonly of: readonly string[]
  /** The last column has buttons; its title is for screen readers only. */
  readonly withActions?: boolean
}

export function ColumnHeads({ of, withActions = true }: ColumnHeadsProps) {
  const { t } = useTranslation('admin')
  return (
    <thead>
      <tr>
        {of.map(head => (
          <th scope="col" key={head}>
            {head}
          </th>
        ))}
        {withActions ? (
          <th scope="col">
            <span className="sr-only">{t('actions')}</span>
          </th>
        ) : null}
      </tr>
    </thead>
  )
}
