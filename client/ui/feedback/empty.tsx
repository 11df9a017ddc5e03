import type { ReactNode } from 'react'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'

interface EmptyProps {
  readonly icon: IconName
  /** One sentence: what is not here. */
  readonly says: ReactNode
  /** Why, where that helps. */
  readonly children?: ReactNode
  /** What to do next: one thing. */
  readonly action?: ReactNode
  /** Read out at once: it stands where something was expected. */
  readonly isAlert?: boolean
}

/** Where there is nothing yet: a drawing, a sentence and the next step. */
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
