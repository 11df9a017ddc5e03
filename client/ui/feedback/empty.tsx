import type { ReactNode } from 'react'
import { Icon, type IconName } from '../pictures/icon.tsx'

interface EmptyProps {
  readonly icon: IconName
  /** One sentence: what is missing. */
  readonly says: ReactNode
  /** The reason, if it helps. */
  readonly children?: ReactNode
  /** The next step: one link or button. */
  readonly action?: ReactNode
  /** Screen readers announce it at once, because it replaces expected content. */
  readonly isAlert?: boolean
}

/** Shown where there is nothing yet: a drawing, a sentence and the next step. */
export const Empty = ({ icon, says, children, action, isAlert }: EmptyProps) => (
  <div className="empty">
    <Icon name={icon} />
    <p className="empty-says" role={isAlert ? 'alert' : undefined}>
      {says}
    </p>
    {children ? <div className="empty-why">{children}</div> : null}
    {action}
  </div>
)
