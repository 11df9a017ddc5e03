import type { ReactNode } from 'react'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { Menu } from './menu.tsx'

interface RowMenuProps {
  /** Says whose row it is. */
  readonly label: string
  /** Drawn when it opens. */
  readonly items: () => ReactNode
}

/** What can be done with one row of a list. */
export const RowMenu = ({ label, items }: RowMenuProps) => (
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
