import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { useOrg } from '#client/shell/viewer.ts'
import { showFirstFault } from '#client/ui/controls/first-fault.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import { paths } from '#shared/kernel/paths.ts'
import type { Template } from '#shared/templates/api.ts'
import { DraftState } from './beginning/draft-state.tsx'
import type { Opened } from './beginning/drafted.tsx'
import { useDraft } from './beginning/use-draft.ts'
import { Beside } from './beside.tsx'
import { TestSend } from './confirm/test-send.tsx'
import { useSending } from './confirm/use-sending.ts'
import { NameField } from './name-field.tsx'
import { PlanStep } from './plan/plan-step.tsx'
import { usePlanned } from './plan/use-planned.ts'
import { AudienceStep } from './recipients/audience-step.tsx'
import { countedFileMaxChars, useCount } from './recipients/use-count.ts'
import { firstUndone, orderOf } from './request.ts'
import { Step } from './step.tsx'
import { TemplateStep } from './template/template-step.tsx'
import { ValuesStep } from './template/values-step.tsx'
import { useComposition } from './use-composition.ts'
import { useAudienceSays, usePlanSays, useValuesSay } from './use-says.ts'
import { type StepName, useStep } from './use-step.ts'

const ConfirmCount = lazyDialog(() => import('../confirm-count.tsx'))

interface CreateStepsProps {
  readonly opened: Opened
  /** Loads a draft as another person has saved it. */
  onTheirs(id: string): Promise<void>
}

/** The steps of a new bulk send: template, audience, values, test, plan. */
export function CreateSteps({ opened: { from, draft: openedDraft }, onTheirs }: CreateStepsProps) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const navigate = useNavigate()
  const composition = useComposition(from)
  const { name, template, typed, sources, care, fields, steps, asked, whole } = composition
  const draft = useDraft(openedDraft, steps)
  const plans = usePlanned()
  const { planned, failure, isWorking, change, plan, changeKey } = plans
  const sending = useSending({ composition, draft, plans })
  const [highlighted, setHighlighted] = useState<Template>()
  const [areMissingShown, setAreMissingShown] = useState(false)
  /** The request that was tested last. */
  const [tested, setTested] = useState<PlanInput>()
  const says = { audience: useAudienceSays(), values: useValuesSay(), plan: usePlanSays() }
  const { step, head, open } = useStep(useSearchParams()[0], template !== undefined)
  const isTooLarge = (typed.file?.text.length ?? 0) > countedFileMaxChars
  const counted = useCount(isTooLarge ? undefined : asked.request)
  const order = orderOf(template)
  const undone = firstUndone(template, asked)

  const showMissing = () => {
    setAreMissingShown(true)
    open(undone ?? 'audience')
    showFirstFault()
  }
  const makePlan = () => {
    if (!whole) return showMissing()
    open('plan')
    plan(whole)
  }
  const goTo = (next: StepName) => {
    if (undone && order.indexOf(next) > order.indexOf(undone)) showMissing()
    else if (next === 'plan' && !planned) makePlan()
    else open(next)
  }

  const isReady = planned !== undefined && planned.plan.planned > 0
  const isTested = tested !== undefined && tested === whole
  const frame = (of: StepName, chosen: string | undefined, otherwise = t(`step.${of}Says`)) => ({
    number: order.indexOf(of) + 1,
    title: t(`step.${of}`),
    says: chosen ?? otherwise,
    isDone: chosen !== undefined,
    isOpen: step === of,
    head,
    onOpen: template || of === 'template' ? () => goTo(of) : undefined,
  })
  const audienceSays = asked.audience && says.audience(typed, counted.answer?.people)
  const valuesSay = template && !asked.areValuesMissing ? says.values(template, sources, fields) : undefined
  return (
    <>
      <div className="bulk-naming wrap">
        <NameField
          name={name}
          template={template?.name}
          onChange={next => {
            composition.setName(next)
            changeKey()
          }}
        />
        <DraftState
          draft={draft}
          onTheirs={onTheirs}
          onDeleted={() => void navigate(paths.bulk(slug), { replace: true })}
        />
      </div>
      <div className="bulk-compose">
        <div className="card bulk-steps">
          <Step {...frame('template', template?.name)}>
            <TemplateStep
              template={template}
              onHighlight={setHighlighted}
              onChoose={chosen => {
                change(() => composition.setTemplate(chosen))
                open('audience')
              }}
              onOther={() =>
                change(() => {
                  composition.setTemplate(undefined)
                  composition.setSources({})
                })
              }
            />
          </Step>
          <Step {...frame('audience', audienceSays)}>
            <AudienceStep {...{ composition, areMissingShown, change }} />
          </Step>
          {order.includes('values') ? (
            <Step {...frame('values', valuesSay)}>
              <ValuesStep {...{ composition, areMissingShown, change }} />
            </Step>
          ) : null}
          <Step {...frame('test', isTested ? t('step.tested') : undefined)}>
            <TestSend request={whole} onMissing={showMissing} onSent={setTested} />
          </Step>
          <Step {...frame('plan', isReady ? says.plan(planned.plan.planned, sending.start) : undefined)}>
            <PlanStep
              {...{ planned, failure, isWorking, care }}
              start={sending.start}
              isTimeMissing={sending.isTimeMissing}
              onCare={next => {
                composition.setCare(next)
                changeKey()
              }}
              onStart={sending.changeStart}
              onPricesChanged={makePlan}
            />
          </Step>
        </div>
        <Beside
          {...{ template, highlighted, counted, isTooLarge, isWorking, step, order }}
          planned={isReady ? planned : undefined}
          plan={planned?.plan}
          areValuesMissing={asked.areValuesMissing}
          isStepDone={undone === undefined || order.indexOf(undone) > order.indexOf(step)}
          isNow={sending.start.wall === undefined}
          onStep={goTo}
          onPlan={makePlan}
          onSend={sending.confirm}
        />
        {sending.confirming ? (
          <ConfirmCount
            count={sending.confirming.plan.planned}
            onConfirm={() => sending.confirming && sending.create(sending.confirming)}
            onClose={sending.stopConfirming}
          />
        ) : null}
      </div>
    </>
  )
}
