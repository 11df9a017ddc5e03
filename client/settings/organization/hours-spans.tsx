import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import { TimeInput } from '#client/ui/controls/time-input.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { type HoursSpan, maxSpansPerDay } from '#shared/orgs/business-hours.ts'

interface HoursSpansProps {
  /** The day, for screen readers. */
  readonly day: string
  readonly spans: readonly HoursSpan[]
  onChange(spans: HoursSpan[]): void
}

const whole: HoursSpan = { from: '09:00', to: '18:00' }
const afternoon: HoursSpan = { from: '16:00', to: '20:00' }

/** The opening times of one day. */
export function HoursSpans({ day, spans, onChange }: HoursSpansProps) {
  const { t } = useTranslation('settings')
  const put = (at: number, change: Partial<HoursSpan>) =>
    onChange(spans.map((span, index) => (index === at ? { ...span, ...change } : span)))
  return (
    <div className="hours-spans line wrap">
      {spans.length ? null : <span className="hours-closed">{t('hours.closed')}</span>}
      {spans.map((span, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two spans of a day differ by nothing but their place
        <span className="hours-span field" key={at}>
          {(['from', 'to'] as const).map(end => (
            <Fragment key={end}>
              {end === 'to' ? <span aria-hidden="true">–</span> : null}
              <TimeInput
                required
                isLive
                aria-label={t(`hours.${end}`, { day })}
                value={span[end]}
                onChange={time => put(at, { [end]: time })}
              />
            </Fragment>
          ))}
          <button
            type="button"
            className="icon-button"
            aria-label={t('hours.remove', { day, from: span.from, to: span.to })}
            data-tip={t('hours.removeTip')}
            onClick={() => onChange(spans.filter((_, index) => index !== at))}
          >
            <Icon name="close" />
          </button>
        </span>
      ))}
      {spans.length < maxSpansPerDay ? (
        <button
          type="button"
          className="button button-quiet hours-add"
          aria-label={t('hours.addOn', { day })}
          onClick={() => onChange([...spans, spans.length ? afternoon : whole])}
        >
          <Icon name="plus" />
          <span>{t('hours.add')}</span>
        </button>
      ) : null}
    </div>
  )
}
