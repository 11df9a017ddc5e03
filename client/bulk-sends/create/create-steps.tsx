import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate, useSearchParams } from 'react-router'
import { useAnswer } from '#client/app/use-answer.ts'
import { useApi } from '#client/app/use-api.ts'
import { AudienceFields, audienceOf } from '#client/bulk-sends/audience/audience-fields.tsx'
import { CapFields, capOf } from '#client/bulk-sends/create/cap-fields.tsx'
import { careOf } from '#client/bulk-sends/create/care.ts'
import { draftsQuery, refreshSends } from '#client/bulk-sends/queries.ts'
import { useChosenStart } from '#client/bulk-sends/start-time.tsx'
import { HeaderFields } from '#client/bulk-sends/values/header-fields.tsx'
import { faultyIn, headerKindOf, withKeptFiles } from '#client/bulk-sends/values/header-values.ts'
import { missingIn, ValueFields, valuesOf, withColumns, withFields } from '#client/bulk-sends/values/value-fields.tsx'
import { contactFieldsQuery } from '#client/segments/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { neededValues } from '#client/templates/send-values.ts'
import { showFirstFault } from '#client/ui/controls/first-fault.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import { confirmByNumberFrom } from '#shared/bulk-sends/limits.ts'
import type { PlanInput } from '#shared/bulk-sends/plan.ts'
import { paths } from '#shared/kernel/paths.ts'
import { isMarketingCategory } from '#shared/templates/words.ts'
import { DraftState } from './draft-state.tsx'
import { stepsOf } from './draft-steps.ts'
import type { Opened } from './drafted.tsx'
import { NameField } from './name-field.tsx'
import { PlanStep, type TypedStart } from './plan-step.tsx'
import { PreviewCard } from './preview-card.tsx'
import { Step } from './step.tsx'
import { Summary } from './summary.tsx'
import { TemplateStep } from './template-step.tsx'
import { TestSend } from './test-send.tsx'
import { countedFileMaxChars, useCount } from './use-count.ts'
import { useDraft } from './use-draft.ts'
import { type Planned, usePlanned } from './use-planned.ts'
import { useAudienceSays, usePlanSays, useValuesSay } from './use-says.ts'
import { type StepName, useStep } from './use-step.ts'

const ConfirmCount = lazyDialog(() => import('#client/bulk-sends/confirm-count.tsx'))

interface CreateStepsProps {
  readonly opened: Opened
  /** Loads a draft as another person has saved it. */
  onTheirs(id: string): Promise<void>
}

/** The steps of a new bulk send: template, audience, values, test, plan. */
export function CreateSteps({ opened: { from, draft: openedDraft }, onTheirs }: CreateStepsProps) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [template, setTemplate] = useState(from.template)
  const [name, setName] = useState(from.name)
  const [confirming, setConfirming] = useState<Planned>()
  const [typed, setTyped] = useState(from.typed)
  const { items: fields } = useAnswer(contactFieldsQuery(slug))
  const [chosen, setSources] = useState(from.sources)
  const sources = useMemo(() => withFields(chosen, fields), [chosen, fields])
  const [cap, setCap] = useState(from.cap)
  const [care, setCare] = useState(from.care)
  const steps = useMemo(
    () => stepsOf({ name, template, typed, sources: chosen, cap, care }),
    [name, template, typed, chosen, cap, care],
  )
  const draft = useDraft(openedDraft, steps)
  const { planned, failure, isWorking, change, plan, changeKey, send } = usePlanned()
  const [areMissingShown, setAreMissingShown] = useState(false)
  const [start, setStart] = useState<TypedStart>({ wall: undefined, clock: 'ofOrg' })
  const [isTimeMissing, setTimeMissing] = useState(false)
  /** The request that was tested last. */
  const [tested, setTested] = useState<PlanInput>()
  const startOf = useChosenStart()
  const audienceSays = useAudienceSays()
  const valuesSay = useValuesSay()
  const planSays = usePlanSays()
  const { step, head, open } = useStep(useSearchParams()[0], template !== undefined)

  const hasValues =
    template === undefined ||
    neededValues(template.components).length > 0 ||
    headerKindOf(template.components) !== undefined
  const order: readonly StepName[] = [
    'template',
    'audience',
    ...(hasValues ? (['values'] as const) : []),
    'test',
    'plan',
  ]
  const isMarketing = template !== undefined && isMarketingCategory(template.category)
  const isTooLarge = (typed.file?.text.length ?? 0) > countedFileMaxChars
  /** The request has no values while some are missing. */
  const { audience, areValuesMissing, request } = useMemo(() => {
    const audience = audienceOf(typed)
    const areValuesMissing =
      template !== undefined &&
      (missingIn(template, sources).length > 0 ||
        faultyIn(template.components, withKeptFiles(template, sources)).length > 0)
    const marketingCap = isMarketing ? capOf(cap) : undefined
    const request: PlanInput | undefined =
      template && audience && !(isMarketing && marketingCap === undefined)
        ? {
            template: template.id,
            audience,
            ...(areValuesMissing ? {} : { values: valuesOf(template, sources) }),
            ...(marketingCap === undefined ? {} : { marketingCap }),
          }
        : undefined
    return { audience, areValuesMissing, request }
  }, [template, typed, sources, cap, isMarketing])
  const counted = useCount(isTooLarge ? undefined : request)
  const whole = areValuesMissing ? undefined : request

  /** The first step where something is missing. No later one opens before it is done. */
  const undone: StepName | undefined = !template
    ? 'template'
    : !request
      ? 'audience'
      : areValuesMissing
        ? 'values'
        : undefined
  const isStepDone = undone === undefined || order.indexOf(undone) > order.indexOf(step)
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

  const create = ({ request, plan: seen, key }: Planned) => {
    const chosenStart = start.wall === undefined ? {} : startOf(start.wall, start.clock)
    if (!chosenStart) return setTimeMissing(true)
    const sentCare = careOf(care, seen.planned)
    if (!sentCare) return showFirstFault()
    send(async () => {
      // The draft is deleted in the commit that makes the send.
      await draft.flush()
      const draftId = draft.id()
      const of = draftId === undefined ? {} : { draft: draftId }
      const body = {
        ...request,
        ...of,
        ...(name.trim() ? { name: name.trim() } : {}),
        startIfPlanned: seen.planned,
        ...sentCare,
        ...chosenStart,
      }
      const { id } = await api.bulkSends.create({ body }, { idempotencyKey: key })
      draft.end()
      void client.invalidateQueries({ queryKey: draftsQuery(slug).queryKey })
      await refreshSends(client, slug)
      // Replaces the address, because the draft no longer exists.
      await navigate(paths.bulkSend(slug, id), { replace: true })
    })
  }
  const confirm = (made: Planned) => {
    if (made.plan.planned < confirmByNumberFrom) return create(made)
    if (start.wall !== undefined && !startOf(start.wall, start.clock)) return setTimeMissing(true)
    setConfirming(made)
  }

  const next = order[order.indexOf(step) + 1]
  const columns = typed.file?.check.columns ?? []
  const changeSources = (next: typeof sources) => change(() => setSources(next))
  const frame = (of: StepName, says: string, isDone: boolean) => ({
    number: order.indexOf(of) + 1,
    title: t(`step.${of}`),
    says,
    isDone,
    isOpen: step === of,
    head,
    onOpen: template || of === 'template' ? () => goTo(of) : undefined,
  })
  const isReady = planned !== undefined && planned.plan.planned > 0
  const isTested = tested !== undefined && tested === whole
  /** The one button that continues: to the next step, to a plan, or to the send. */
  const goOn = ((): { text: string; icon?: IconName; run(): void } => {
    if (step !== 'plan') return { text: t(`step.next.${next ?? 'plan'}`), run: () => goTo(next ?? 'plan') }
    if (!isReady) return { text: t('plan.make'), run: makePlan }
    const isNow = start.wall === undefined
    return {
      text: t(isNow ? 'plan.send' : 'when.schedule', { count: planned.plan.planned }),
      icon: isNow ? 'send' : 'clock',
      run: () => confirm(planned),
    }
  })()
  return (
    <>
      <div className="bulk-naming wrap">
        <NameField
          name={name}
          template={template?.name}
          onChange={next => {
            setName(next)
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
          <Step {...frame('template', template?.name ?? t('step.templateSays'), template !== undefined)}>
            <TemplateStep
              template={template}
              onChoose={chosen => {
                change(() => setTemplate(chosen))
                open('audience')
              }}
              onOther={() =>
                change(() => {
                  setTemplate(undefined)
                  setSources({})
                })
              }
            />
          </Step>
          <Step
            {...frame(
              'audience',
              audience ? audienceSays(typed, counted.answer?.people) : t('step.audienceSays'),
              audience !== undefined,
            )}
          >
            <AudienceFields
              typed={typed}
              fault={
                areMissingShown && !audience ? t(typed.file ? 'file.columnMissing' : 'audience.missing') : undefined
              }
              onChange={next =>
                change(() => {
                  setTyped(next)
                  setSources(before => withColumns(before, next.file?.check.columns ?? []))
                })
              }
            />
            {isMarketing ? <CapFields typed={cap} onChange={next => change(() => setCap(next))} /> : null}
          </Step>
          {hasValues ? (
            <Step
              {...frame(
                'values',
                template && !areValuesMissing ? valuesSay(template, sources, fields) : t('step.valuesSays'),
                template !== undefined && !areValuesMissing,
              )}
            >
              {template ? (
                <>
                  <HeaderFields
                    template={template}
                    sources={sources}
                    columns={columns}
                    areMissingShown={areMissingShown}
                    onChange={changeSources}
                  />
                  <ValueFields
                    template={template}
                    sources={sources}
                    columns={columns}
                    fields={fields}
                    areMissingShown={areMissingShown}
                    onChange={changeSources}
                  />
                </>
              ) : null}
            </Step>
          ) : null}
          <Step {...frame('test', t(isTested ? 'step.tested' : 'step.testSays'), isTested)}>
            <TestSend request={whole} onMissing={showMissing} onSent={setTested} />
          </Step>
          <Step {...frame('plan', isReady ? planSays(planned.plan.planned, start) : t('step.planSays'), isReady)}>
            <PlanStep
              planned={planned}
              failure={failure}
              isWorking={isWorking}
              care={care}
              start={start}
              isTimeMissing={isTimeMissing}
              onCare={next => {
                setCare(next)
                changeKey()
              }}
              onStart={next => {
                setStart(next)
                setTimeMissing(false)
                changeKey()
              }}
              onPricesChanged={makePlan}
            />
          </Step>
        </div>
        {template ? (
          <div className="bulk-beside">
            <Summary counted={counted} plan={planned?.plan} isTooLarge={isTooLarge}>
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
              previews={planned?.plan.previews ?? (areValuesMissing ? [] : (counted.answer?.previews ?? []))}
            />
          </div>
        ) : null}
        {confirming ? (
          <ConfirmCount
            count={confirming.plan.planned}
            onConfirm={() => create(confirming)}
            onClose={() => setConfirming(undefined)}
          />
        ) : null}
      </div>
    </>
  )
}
