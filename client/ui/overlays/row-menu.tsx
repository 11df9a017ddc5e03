import type { ReactNode } from 'react'
import { Icon } from '../pictures/icon.tsx'
import { Menu } from './menu.tsx'

interface RowMenuProps {
  /** Names the row. */
  readonly label: string
  /** Rendered when it opens. */
  readonly items: () => ReactNode
}

/** The menu of actions on one row of a list. */
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
