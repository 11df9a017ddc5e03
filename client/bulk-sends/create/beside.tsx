import { useTranslation } from 'react-i18next'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import type { Template } from '#shared/templates/api.ts'
import type { Planned } from './plan/use-planned.ts'
import { Summary } from './recipients/summary.tsx'
import type { Counted } from './recipients/use-count.ts'
import { PreviewCard } from './template/preview-card.tsx'
import type { StepName } from './use-step.ts'

interface BesideProps {
  readonly template: Template | undefined
  /** The template under the pointer or the focus, before one is chosen. */
  readonly highlighted: Template | undefined
  readonly counted: Counted
  readonly plan: BulkPlan | undefined
  /** A plan with recipients, which can be sent. */
  readonly planned: Planned | undefined
  readonly isTooLarge: boolean
  readonly areValuesMissing: boolean
  readonly isWorking: boolean
  readonly isStepDone: boolean
  /** True if the send starts at once. */
  readonly isNow: boolean
  readonly step: StepName
  readonly order: readonly StepName[]
  onStep(step: StepName): void
  onPlan(): void
  onSend(planned: Planned): void
}

/** The one button that continues: to the next step, to a plan, or to the send. */
const useGoOn = ({
  step,
  order,
  planned,
  isNow,
  ...on
}: BesideProps): { text: string; icon?: IconName; run(): void } => {
  const { t } = useTranslation('bulk-sends')
  if (step !== 'plan') {
    const next = order[order.indexOf(step) + 1] ?? 'plan'
    return { text: t(`step.next.${next}`), run: () => on.onStep(next) }
  }
  if (!planned) return { text: t('plan.make'), run: on.onPlan }
  return {
    text: t(isNow ? 'plan.send' : 'when.schedule', { count: planned.plan.planned }),
    icon: isNow ? 'send' : 'clock',
    run: () => on.onSend(planned),
  }
}

/** Beside the steps: how many get it, the button that continues, and the message. Before a choice, the highlighted message. */
export function Beside(props: BesideProps) {
  const { t } = useTranslation('bulk-sends')
  const goOn = useGoOn(props)
  const { template, highlighted, counted, plan, isTooLarge, areValuesMissing, isWorking, isStepDone, step } = props
  if (!template)
    return (
      <div className="bulk-beside bulk-highlighted">
        {highlighted ? (
          <PreviewCard template={highlighted} previews={[]} />
        ) : (
          <section className="card bulk-preview" aria-label={t('plan.previews')}>
            <h2>{t('plan.previews')}</h2>
            <p className="bulk-phone bulk-phone-empty small">{t('preview.none')}</p>
          </section>
        )}
      </div>
    )
  return (
    <div className="bulk-beside">
      <Summary counted={counted} plan={plan} isTooLarge={isTooLarge}>
        <button
          type="button"
          className={isStepDone ? 'button button-primary' : 'button'}
          aria-disabled={isWorking}
          onClick={() => isWorking || goOn.run()}
        >
          {goOn.icon ? <Icon name={goOn.icon} /> : null}
          {goOn.text}
        </button>
        {step === 'plan' ? null : <small className="fine">{t('step.nothingYet')}</small>}
      </Summary>
      <PreviewCard
        template={template}
        previews={plan?.previews ?? (areValuesMissing ? [] : (counted.answer?.previews ?? []))}
      />
    </div>
  )
}
