import type { ReactNode } from 'react'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'

/** The head of a page of cards: its title, also for the tab, and what it is for. */
export const SheetHead = ({ title, children }: { readonly title: string; readonly children?: ReactNode }) => (
  <>
    <title>{`${title} · ${PRODUCT_NAME}`}</title>
    <div className="sheet-head">
      <h1>{title}</h1>
      {children ? <p>{children}</p> : null}
    </div>
  </>
)
