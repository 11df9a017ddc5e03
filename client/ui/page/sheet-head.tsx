import type { ReactNode } from 'react'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'

interface SheetHeadProps {
  readonly title: string
  /** `h2` where the page has a frame with a title of its own. */
  readonly as?: 'h1' | 'h2'
  /** The bar above the page shows the same title: on a phone the heading is for screen readers only. */
  readonly isInBar?: boolean
  /** The actions of the page, at the right. */
  readonly actions?: ReactNode
  /** The purpose of the page. */
  readonly children?: ReactNode
}

/** The head of a page: its title, also for the tab, what it is for, and its actions. */
export const SheetHead = ({ title, as: Heading = 'h1', isInBar = false, actions, children }: SheetHeadProps) => (
  <>
    <title>{`${title} · ${PRODUCT_NAME}`}</title>
    <div className="sheet-head">
      <Heading className={isInBar ? 'in-bar' : undefined}>{title}</Heading>
      {children ? <p>{children}</p> : null}
      {actions ? <div className="sheet-actions wrap">{actions}</div> : null}
    </div>
  </>
)
