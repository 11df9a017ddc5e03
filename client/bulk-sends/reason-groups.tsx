import { useTranslation } from 'react-i18next'
import type { BulkSendReport } from '#shared/bulk-sends.ts'

/** Why people did not get a send, how many for each reason, and what there is to do about it. */
export function ReasonGroups({ groups, counts }: Pick<BulkSendReport, 'groups' | 'counts'>) {
  const { t, i18n } = useTranslation('bulk')
  if (!groups.length) return null
  const everybody = Object.values(counts).reduce((sum, count) => sum + count, 0)
  const figure = new Intl.NumberFormat(i18n.language)
  return (
    <section className="card" aria-labelledby="bulk-groups">
      <h2 id="bulk-groups">{t('groups')}</h2>
      <ul className="bulk-groups bulk-reasons">
        {groups.map(({ state, reason, message, count, mayRetry }) => (
          <li key={`${state} ${reason}`}>
            <b>{figure.format(count)}</b>
            <span>
              {state === 'omitted' ? t(`omission.${reason as 'duplicate'}`) : message}
              <small>
                {state === 'omitted'
                  ? t(`omissionDo.${reason as 'duplicate'}`)
                  : t(mayRetry ? 'mayRetry' : 'mayNotRetry')}
              </small>
              <progress data-state={state} value={count} max={everybody} aria-hidden="true" />
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
