import { useTranslation } from 'react-i18next'
import type { BulkSendReport } from '#shared/bulk-sends/sends.ts'
import type { ShownPeople } from '../queries.ts'
import { useFigure } from '../words.tsx'

interface ReasonGroupsProps extends Pick<BulkSendReport, 'groups' | 'counts'> {
  onShow(people: ShownPeople): void
}

/** Why recipients did not get a send, with counts and links to the recipients. A failure's text ends with its advice. */
export function ReasonGroups({ groups, counts, onShow }: ReasonGroupsProps) {
  const { t } = useTranslation('bulk-sends')
  const figure = useFigure()
  if (!groups.length) return null
  const everybody = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return (
    <section className="card" aria-labelledby="bulk-groups">
      <h2 id="bulk-groups">{t(counts.unconfirmed ? 'groupsUnconfirmed' : 'groups')}</h2>
      <ul className="bulk-groups bulk-reasons">
        {groups.map(({ state, reason, message, count }) => (
          <li key={`${state} ${reason}`}>
            <b>{figure(count)}</b>
            <span>
              <span id={`bulk-reason-${state}-${reason}`}>{message}</span>
              {state === 'omitted' ? <small>{t(`omissionDo.${reason as 'duplicate'}`)}</small> : null}
              <progress data-state={state} value={count} max={everybody} aria-hidden="true" />
            </span>
            <button
              type="button"
              className="link"
              aria-describedby={`bulk-reason-${state}-${reason}`}
              onClick={() => onShow({ state, reason })}
            >
              {t('showThese', { count })}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
