import type { ReactNode } from 'react'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import type { CardState } from './states.ts'
import './card.css'

const looks = {
  good: { chip: 'chip chip-green', icon: 'tick' },
  warning: { chip: 'chip chip-amber', icon: 'warn' },
  bad: { chip: 'chip chip-red', icon: 'warn' },
  quiet: { chip: 'chip', icon: undefined },
} as const

/** A state in a word, with an icon. */
export function StateChip({ state: { tone, says } }: { readonly state: CardState }) {
  const { chip, icon } = looks[tone]
  return (
    <span className={chip}>
      {icon ? <Icon name={icon} /> : null}
      {says}
    </span>
  )
}

interface IntegrationCardProps {
  /** Of its heading, to which the index leads. */
  readonly id: string
  readonly icon: IconName
  readonly title: string
  /** What it is, or what is connected. */
  readonly says: ReactNode
  /** Undefined: nothing to say, or not loaded. */
  readonly state?: CardState | undefined
  /** Across all columns. */
  readonly isWide?: boolean
  /** Rows, and other parts. */
  readonly children?: ReactNode
  /** One button, links, and what was last done. */
  readonly foot?: ReactNode
}

/** A card of the integrations page: what it is and how it is, its rows, and what can be done. */
export const IntegrationCard = ({ id, icon, title, says, state, isWide, children, foot }: IntegrationCardProps) => (
  <section className={isWide ? 'card integration integration-wide' : 'card integration'} aria-labelledby={id}>
    <div className="integration-head">
      <span className="integration-icon center">
        <Icon name={icon} />
      </span>
      <h2 id={id}>{title}</h2>
      {state ? <StateChip state={state} /> : null}
      <p>{says}</p>
    </div>
    {children}
    {foot ? <div className="integration-foot">{foot}</div> : null}
  </section>
)
