import { useTranslation } from 'react-i18next'
import { type Clock, useStartAt } from '../../start-time.tsx'
import { RequestFault } from '../confirm/request-fault.tsx'
import type { TypedCare } from './care.ts'
import { careOf } from './care.ts'
import { CareFields } from './care-fields.tsx'
import { Plan } from './plan.tsx'
import { StartFields } from './start-fields.tsx'
import type { Planned } from './use-planned.ts'

export interface TypedStart {
  /** Local time. Undefined: starts at once. */
  readonly wall: string | undefined
  readonly clock: Clock
}

interface PlanStepProps {
  readonly planned: Planned | undefined
  readonly failure: unknown
  readonly isWorking: boolean
  readonly care: TypedCare
  readonly start: TypedStart
  readonly isTimeMissing: boolean
  onCare(care: TypedCare): void
  onStart(start: TypedStart): void
  onPricesChanged(): void
}

/** The last step: who gets it and who is left out, with what care, and when. */
export function PlanStep({ planned, failure, isWorking, care, start, isTimeMissing, ...on }: PlanStepProps) {
  const { t } = useTranslation('bulk-sends')
  const startAtOf = useStartAt()
  const { wall, clock } = start
  const count = planned?.plan.planned ?? 0
  const sentCare = careOf(care, count)
  return (
    <>
      {planned ? (
        <Plan
          plan={planned.plan}
          startsAt={wall === undefined ? undefined : startAtOf(wall)}
          waitMinutes={sentCare?.canary?.waitMinutes ?? 0}
          hasHours={sentCare?.hours != null || (wall !== undefined && clock === 'ofEach')}
          onPricesChanged={on.onPricesChanged}
        />
      ) : (
        <p role="status">{t(isWorking ? 'plan.making' : 'plan.why')}</p>
      )}
      {count > 0 ? (
        <>
          <CareFields typed={care} planned={count} onChange={on.onCare} />
          <StartFields
            wall={wall}
            clock={clock}
            fault={isTimeMissing ? t('when.missing') : undefined}
            onChange={(next, by) => on.onStart({ wall: next, clock: by })}
          />
        </>
      ) : null}
      {failure ? <RequestFault error={failure} /> : null}
    </>
  )
}
