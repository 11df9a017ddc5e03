import MuiPopover from '@mui/material/Popover'
import type { ReactNode } from 'react'
import { MuiScope } from './mui.tsx'

const places = {
  'below-end': {
    anchorOrigin: { vertical: 'bottom', horizontal: 'right' },
    transformOrigin: { vertical: 'top', horizontal: 'right' },
  },
  /** 8 px above the whole anchor, from its left edge. */
  'above-start': {
    anchorOrigin: { vertical: -8, horizontal: 'left' },
    transformOrigin: { vertical: 'bottom', horizontal: 'left' },
  },
  'above-center': {
    anchorOrigin: { vertical: 'top', horizontal: 'center' },
    transformOrigin: { vertical: 'bottom', horizontal: 'center' },
  },
} as const

/** Over the position that MUI computes beside the anchor. */
const sheetOnPhones = {
  '@media (max-width: 767px)': {
    inset: 'auto 0 0 !important',
    width: '100%',
    maxWidth: 'none',
    paddingBottom: 'max(8px, env(safe-area-inset-bottom))',
    borderRadius: '16px 16px 0 0',
    boxShadow: '0 0 0 100vmax var(--veil)',
  },
} as const

interface PopoverProps {
  readonly label: string
  /** It opens beside this element and returns the focus to it. */
  readonly anchor: HTMLElement
  readonly place: keyof typeof places
  readonly className: string
  /** Shows it at the bottom of a phone's window, as wide as the window. */
  readonly isSheet?: boolean
  onClose(): void
  readonly children: ReactNode
}

/** A panel beside a button that keeps the focus until it closes. Import it only from parts that load when they open. */
export const Popover = ({ label, anchor, place, className, isSheet = false, onClose, children }: PopoverProps) => (
  <MuiScope>
    <MuiPopover
      open
      anchorEl={anchor}
      onClose={onClose}
      {...places[place]}
      slotProps={{
        paper: {
          className,
          role: 'dialog',
          'aria-label': label,
          sx: { backgroundImage: 'none', ...(isSheet ? sheetOnPhones : {}) },
        },
      }}
    >
      {children}
    </MuiPopover>
  </MuiScope>
)
