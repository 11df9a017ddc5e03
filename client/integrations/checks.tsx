import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import type { CheckState, ConnectionCheck } from '#shared/numbers/standing.ts'

const order: readonly CheckState[] = ['bad', 'warning', 'unknown', 'good']
const icons: Readonly<Record<CheckState, IconName>> = { bad: 'warn', warning: 'clock', unknown: 'info', good: 'tick' }
const chips: Readonly<Record<CheckState, string>> = {
  bad: 'chip chip-red',
  warning: 'chip chip-amber',
  unknown: 'chip',
  good: 'chip chip-green',
}

/** Step-by-step instructions in Meta's pages. */
function Press({ check }: { check: ConnectionCheck }) {
  const { t } = useTranslation('integrations')
  return (
    <div className="check-press line wrap">
      <span>{t('standing.inMeta')}</span>
      <ol>
        {check.press.map(step => (
          <li key={step}>{step}</li>
        ))}
      </ol>
      {check.href ? (
        <a className="link" href={check.href} target="_blank" rel="noreferrer">
          {t('standing.openMeta')}
        </a>
      ) : null}
    </div>
  )
}

/** The dialogs in which a problem found by a check can be fixed. */
export type NumberAction = 'token' | 'name' | 'disconnect'

interface ChecksProps {
  readonly checks: readonly ConnectionCheck[]
  readonly mayMend: boolean
  readonly isMending: boolean
  readonly isSandbox: boolean
  onSubscribe(): void
  onOpen(action: NumberAction): void
}

/** The checks of a number, problems first, each with a result and advice. */
export function Checks({ checks, mayMend, isMending, isSandbox, onSubscribe, onOpen }: ChecksProps) {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const mends = ({ mend }: ConnectionCheck) => {
    if (!mayMend || mend === null) return null
    if (mend === 'number' || mend === 'templates')
      return (
        <Link
          className="button"
          to={mend === 'templates' ? paths.templates(slug) : `${paths.companyCreation()}?org=${slug}&step=number`}
        >
          {t(`standing.mend.${mend}`)}
        </Link>
      )
    return (
      <button
        type="button"
        className="button"
        aria-disabled={isMending}
        onClick={() => (mend === 'subscribe' ? isMending || onSubscribe() : onOpen(mend))}
      >
        {t(isSandbox && mend === 'token' ? 'standing.reconnectSandbox' : `standing.mend.${mend}`)}
      </button>
    )
  }
  const sorted = order.flatMap(state => checks.filter(check => check.state === state))
  return (
    <ul className="checks">
      {sorted.map(check => (
        <li key={check.id} className={`check check-${check.state}`}>
          <Icon name={icons[check.state]} />
          <div>
            <div className="check-head line">
              <h3>{check.title}</h3>
              <span className={chips[check.state]}>{t(`standing.state.${check.state}`)}</span>
            </div>
            <p>{check.says}</p>
            {check.state !== 'good' && check.press.length ? <Press check={check} /> : null}
            {check.state === 'good' ? null : mends(check)}
          </div>
        </li>
      ))}
    </ul>
  )
}
