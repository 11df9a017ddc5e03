import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'

/** What can be done with a row of a table; `items` are drawn when it opens. */
export function RowMenu({ name, items }: { name: string; items: () => ReactNode }) {
  const { t } = useTranslation('admin')
  const label = t('actionsOf', { name })
  return (
    <Menu
      label={label}
      className="icon-button"
      side="below-end"
      button={
        <>
          <Icon name="more" />
          <span className="sr-only">{label}</span>
        </>
      }
    >
      {items}
    </Menu>
  )
}
