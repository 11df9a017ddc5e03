import MuiDialog from '@mui/material/Dialog'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { MuiScope } from './mui.tsx'
import { keepPlace } from './place-kept.ts'

interface ModalProps {
  readonly title: ReactNode
  /** The width in pixels. Default: 448 in the middle, 384 at the side. On narrow screens it takes the whole width. */
  readonly width?: number
  /** A dialog at the side is as high as the window and has its own heading, so the title is only for screen readers. */
  readonly place?: 'middle' | 'side'
  /** Covers the whole screen of a phone, because the content is as long as a page. */
  readonly fillsPhone?: boolean
  onClose(): void
  readonly children: ReactNode
}

/** @see client/shell/sheet.css for the width of a phone */
const wholePhone = {
  '@media (max-width: 767px)': {
    width: '100vw',
    height: '100dvh',
    maxHeight: 'none',
    margin: 0,
    borderRadius: 0,
    border: 0,
  },
}

const inTheMiddle = (width: number, fillsPhone: boolean) => ({
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
      ...(fillsPhone ? wholePhone : {}),
    },
  },
})

const atTheSide = (width: number) => ({
  container: { sx: { justifyContent: 'flex-end', alignItems: 'stretch' } },
  paper: {
    className: 'modal-side',
    sx: {
      width: { xs: '100vw', sm: width },
      maxWidth: 'none',
      maxHeight: 'none',
      margin: 0,
      borderRadius: 0,
      borderLeft: '1px solid var(--line)',
      backgroundColor: 'var(--surface)',
      backgroundImage: 'none',
    },
  },
})

/**
 * A modal form or question. It keeps the focus, Escape closes it, and the focus returns to where it was, or near it
 * if that was deleted. Load it when it opens (`lazyDialog`).
 */
export function Modal({ title, width, place = 'middle', fillsPhone = false, onClose, children }: ModalProps) {
  const id = useId()
  const [leave] = useState(keepPlace)
  useEffect(() => leave, [leave])
  const isAside = place === 'side'
  return (
    <MuiScope>
      <MuiDialog
        open
        onClose={onClose}
        aria-labelledby={id}
        slotProps={{
          ...(isAside ? atTheSide(width ?? 384) : inTheMiddle(width ?? 448, fillsPhone)),
          backdrop: { sx: { backgroundColor: 'var(--veil)' } },
        }}
      >
        <h2 id={id} className={isAside ? 'sr-only' : undefined}>
          {title}
        </h2>
        {children}
      </MuiDialog>
    </MuiScope>
  )
}
