import { useTranslation } from 'react-i18next'
import type { BulkPlan } from '#shared/bulk-sends.ts'
import { useDuration } from './words.tsx'

/** What a plan says before anything is sent: how many get it, who is left out and why, and what the first ones see. */
export function Plan({ plan }: { plan: BulkPlan }) {
  const { t } = useTranslation('bulk')
  const duration = useDuration()
  return (
    <>
      <p role="status">
        {t('plan.says', { count: plan.planned, from: plan.from })}{' '}
        {plan.planned ? t('plan.lasts', { time: duration(plan.seconds) }) : ''}
      </p>
      {plan.omitted.length ? (
        <>
          <h3>{t('plan.omitted')}</h3>
          <ul className="bulk-groups">
            {plan.omitted.map(({ reason, count, examples }) => (
              <li key={reason}>
                <b>{count}</b>
                <span>
                  {t(`omission.${reason}`)} <small>{examples.join(' · ')}</small>
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
      {plan.previews.length ? (
        <>
          <h3>{t('plan.previews')}</h3>
          <ul className="bulk-previews">
            {plan.previews.map(({ phone, name, header, text, footer, buttons }) => (
              <li key={phone}>
                <small>{name ? `${name} · ${phone}` : phone}</small>
                <div className="bulk-bubble">
                  {header ? <strong>{header}</strong> : null}
                  <p>{text}</p>
                  {footer ? <small>{footer}</small> : null}
                  {buttons.map((button, i) => (
                    // biome-ignore lint/suspicious/noArrayIndexKey: the place is what tells them apart
                    <span key={i} className="bulk-bubble-button">
                      {button.text}
                    </span>
                  ))}
                </div>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  )
}
