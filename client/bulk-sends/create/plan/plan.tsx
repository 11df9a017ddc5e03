import { useTranslation } from 'react-i18next'
import { Quality } from '#client/templates/words.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import { isolated } from '#shared/kernel/bidi.ts'
import { ratingOf } from '#shared/templates/words.ts'
import { useStartsAt } from '../../start-time.tsx'
import { useDuration, useFigure } from '../../words.tsx'
import { Cost } from './cost.tsx'

/** Says how many people can still be reached today within Meta's limit. */
function Room({ plan: { planned, room } }: { plan: Pick<BulkPlan, 'planned' | 'room'> }) {
  const { t } = useTranslation('bulk-sends')
  const say = useFigure()
  if (!room) return <p>{t('plan.roomUnknown')}</p>
  if (room.limit === null) return <p>{t('plan.roomUnlimited')}</p>
  const left = Math.max(0, room.limit - room.used)
  return (
    <>
      <p>{t('plan.room', { left: say(left), limit: say(room.limit) })}</p>
      {planned > left ? <p className="field-hint">{t('plan.roomShort')}</p> : null}
    </>
  )
}

/** Lists the source of each recipient's file, and faults of the checked ones. */
function EachFiles({ files }: { files: NonNullable<BulkPlan['files']> }) {
  const { t } = useTranslation('bulk-sends')
  const { uploaded, addresses, probed, faults } = files
  return (
    <>
      <p>{t('plan.files', { uploaded, addresses })}</p>
      {faults.length ? (
        <>
          <Fault>{t('plan.fileFaults', { count: probed })}</Fault>
          <ul className="bulk-groups bulk-file-faults">
            {faults.map(({ value, reason }) => (
              <li key={value}>
                <span>
                  {value} <small>{t(`plan.fileFault.${reason}`)}</small>
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  )
}

/** Isolated, because a name may be written from right to left. */
const sayPerson = ({ name, display }: BulkPlan['omitted'][number]['people'][number]): string =>
  name && name !== display ? `${isolated(name)} (${isolated(display)})` : isolated(display)

interface PlanProps {
  readonly plan: BulkPlan
  /** Undefined: starts when it is sent. */
  readonly startsAt: string | undefined
  /** The others wait this long after the canary. */
  readonly waitMinutes: number
  /** Recipients have local hours. */
  readonly hasHours: boolean
  onPricesChanged(): void
}

/** Shows a plan: the number of recipients, the omitted people and the reasons. */
export function Plan({ plan, startsAt, waitMinutes, hasHours, onPricesChanged }: PlanProps) {
  const { t } = useTranslation('bulk-sends')
  const duration = useDuration()
  const { now } = useMoment()
  const when = useStartsAt()
  const startMs = startsAt === undefined ? now : Date.parse(startsAt)
  const endsAt = new Date(startMs + (waitMinutes * 60 + plan.seconds) * 1000).toISOString()
  return (
    <>
      <p className="bulk-plan-says" role="status">
        <b>{t('plan.says', { count: plan.planned, from: plan.from })}</b>
        {plan.planned ? (
          <span suppressHydrationWarning>
            {t('plan.lasts', { time: duration(waitMinutes * 60 + plan.seconds) })}{' '}
            {t(hasHours ? 'plan.endsEarliest' : 'plan.ends', { when: when(endsAt) })}
          </span>
        ) : null}
      </p>
      <p>
        {t('plan.quality')} <Quality quality={plan.template.quality} />
      </p>
      {ratingOf(plan.template.quality) === 'low' ? <Fault>{t('plan.qualityRed')}</Fault> : null}
      {plan.planned ? <Room plan={plan} /> : null}
      {plan.planned ? <Cost cost={plan.cost} onPricesChanged={onPricesChanged} /> : null}
      {plan.optedOut ? <p>{t('plan.optedOut', { count: plan.optedOut })}</p> : null}
      {plan.files ? <EachFiles files={plan.files} /> : null}
      {plan.omitted.length ? (
        <>
          <h3>{t('plan.omitted')}</h3>
          <ul className="bulk-groups">
            {plan.omitted.map(({ reason, count, people, rows }) => (
              <li key={reason}>
                <b>{count}</b>
                <span>
                  {t(`omission.${reason}`)} <small>{people.map(sayPerson).filter(Boolean).join(' · ')}</small>
                  {rows.length ? (
                    <small className="bulk-file-rows">
                      {t('file.inRows', { count: rows.length, rows: rows.join(', ') })}
                      {rows.length < count ? ' …' : ''}
                    </small>
                  ) : null}
                </span>
              </li>
            ))}
          </ul>
        </>
      ) : null}
    </>
  )
}
