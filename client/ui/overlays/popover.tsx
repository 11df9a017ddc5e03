import MuiPopover from '@mui/material/Popover'
import type { ReactNode } from 'react'
import { MuiScope } from './mui.tsx'

const places = {
  'below-end': {
    anchorOrigin: { vertical: 'bottom', horizontal: 'right' },
    transformOrigin: { vertical: 'top', horizontal: 'right' },
  },
  'above-center': {
    anchorOrigin: { vertical: 'top', horizontal: 'center' },
    transformOrigin: { vertical: 'bottom', horizontal: 'center' },
  },
} as const

interface PopoverProps {
  readonly label: string
  /** Where it opens, and where the focus goes back to. */
  readonly anchor: HTMLElement
  readonly place: keyof typeof places
  readonly className: string
  onClose(): void
  readonly children: ReactNode
}

/** What opens over the page beside a button, and holds the focus until it closes. Only in what loads when it opens. */
export const Popover = ({ label, anchor, place, className, onClose, children }: PopoverProps) => (
  <MuiScope>
    <MuiPopover
      open
      anchorEl={anchor}
      onClose={onClose}
      {...places[place]}
      slotProps={{
        paper: { className, role: 'dialog', 'aria-label': label, sx: { backgroundImage: 'none' } },
      }}
    >
      {children}
    </MuiPopover>
  </MuiScope>
)
