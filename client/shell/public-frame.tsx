import type { ReactNode } from 'react'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { LanguageChoice, ThemeChoice } from './account/preferences.tsx'

/** The product's logo. */
const Mark = () => (
  <svg className="mark" viewBox="0 0 32 32" aria-hidden="true">
    <rect width="32" height="32" rx="8" />
    <path d="M24 15.5a8 7.5 0 0 1-11.500 6.700L8 23.500l1.100-4A7.500 7.500 0 0 1 8 15.500a8 7.500 0 0 1 16 0Z" />
  </svg>
)

interface PublicFrameProps {
  readonly title: string
  /** Shown next to the sheet in wide windows, below it in narrow ones. */
  readonly beside?: ReactNode
  readonly children: ReactNode
}

/** The frame of pages outside the shell: logo, one sheet, language and theme. */
export function PublicFrame({ title, beside, children }: PublicFrameProps) {
  return (
    <div className="public">
      <title>{title === PRODUCT_NAME ? title : `${title} · ${PRODUCT_NAME}`}</title>
      <header className="public-head">
        <a href="/" className="public-mark">
          <Mark />
          {PRODUCT_NAME}
        </a>
      </header>
      <main className="public-sheet">{children}</main>
      <footer className="public-foot">
        <LanguageChoice />
        <ThemeChoice />
      </footer>
      {beside}
    </div>
  )
}
