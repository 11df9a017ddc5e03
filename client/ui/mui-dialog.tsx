import MuiDialog from '@mui/material/Dialog'
import { type ReactNode, useId } from 'react'
import { MuiScope } from './mui.tsx'

interface ModalProps {
  readonly title: ReactNode
  /** In pixels; 448 unless given. Narrow screens take what is there. */
  readonly width?: number
  onClose(): void
  readonly children: ReactNode
}

/** A modal form or question: it holds the focus, Escape closes it, the focus goes back. Load it when it opens (`lazyDialog`). */
export function Modal({ title, width = 448, onClose, children }: ModalProps) {
  const id = useId()
  return (
    <MuiScope>
      <MuiDialog
        open
        onClose={onClose}
        aria-labelledby={id}
        slotProps={{
          paper: {
            className: 'modal',
            sx: {
              width: `min(${width}px, calc(100vw - 32px))`,
              maxWidth: 'none',
              margin: 4,
              padding: 6,
              borderRadius: '12px',
              border: '1px solid var(--line)',
              backgroundImage: 'none',
            },
          },
          backdrop: { sx: { backgroundColor: 'var(--veil)' } },
        }}
      >
        <h2 id={id}>{title}</h2>
        {children}
      </MuiDialog>
    </MuiScope>
  )
}
