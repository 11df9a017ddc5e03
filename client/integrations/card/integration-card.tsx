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
  /** The id of the card's heading. The index links to it. */
  readonly id: string
  readonly icon: IconName
  readonly title: string
  /** A sentence that says what the integration is for, or what is connected. */
  readonly says: ReactNode
  /** Undefined: there is no state to show, or it is not loaded. */
  readonly state?: CardState | undefined
  /** True: the card is as wide as all columns. */
  readonly isWide?: boolean
  /** The rows of the card, and whatever else it shows. */
  readonly children?: ReactNode
  /** The foot of the card holds one button, links, and the last action. */
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
