import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import type { OmissionReason } from '#shared/bulk-sends/states.ts'
import type { Counted } from './use-count.ts'

interface SummaryProps {
  readonly counted: Counted
  /** Exact figures of a plan, which replace the count. */
  readonly plan: { readonly planned: number; readonly omitted: readonly Omitted[] } | undefined
  /** The file is too large to be sent and counted after each change. */
  readonly isTooLarge: boolean
  /** The button that continues. */
  readonly children: ReactNode
}

interface Omitted {
  readonly reason: OmissionReason
  readonly count: number
}

/** Shows how many people the chosen audience has, and the button that continues. */
export function Summary({ counted: { answer, isCounting, hasFailed }, plan, isTooLarge, children }: SummaryProps) {
  const { t } = useTranslation('bulk-sends')
  const omitted: readonly Omitted[] = plan?.omitted ?? answer?.omitted ?? []
  const left = omitted.reduce((sum, { count }) => sum + count, 0)
  const planned = plan?.planned ?? answer?.planned
  return (
    <section className="card bulk-sum" aria-label={t('count.title')}>
      <p className="bulk-sum-says" role="status" data-counting={(!plan && isCounting) || undefined}>
        <b>
          {planned === undefined
            ? t(isTooLarge ? 'count.large' : isCounting ? 'count.counting' : hasFailed ? 'count.failed' : 'count.none')
            : t(!plan && answer?.hasMore ? 'count.more' : 'count.people', { count: planned })}
        </b>
        {planned === undefined ? null : (
          <small>{!plan && isCounting ? t('count.counting') : t('count.left', { count: left })}</small>
        )}
      </p>
      {omitted.length && !plan ? (
        <dl className="bulk-sum-left">
          {omitted.map(({ reason, count }) => (
            <div key={reason}>
              <dt>{t(`omission.${reason}`)}</dt>
              <dd>{count}</dd>
            </div>
          ))}
        </dl>
      ) : null}
      {children}
    </section>
  )
}
