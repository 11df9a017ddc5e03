import { useQueryClient } from '@tanstack/react-query'
import { useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useAnswer } from '#client/app/use-answer.ts'
import { useApi } from '#client/app/use-api.ts'
import { AudienceFields, audienceOf } from '#client/bulk-sends/audience/audience-fields.tsx'
import { CapFields, capOf } from '#client/bulk-sends/create/cap-fields.tsx'
import { careOf, type TypedCare } from '#client/bulk-sends/create/care.ts'
import { CareFields } from '#client/bulk-sends/create/care-fields.tsx'
import { draftsQuery, refreshSends } from '#client/bulk-sends/queries.ts'
import { type Clock, useChosenStart, useStartAt } from '#client/bulk-sends/start-time.tsx'
import { HeaderFields } from '#client/bulk-sends/values/header-fields.tsx'
import { faultyIn, headerKindOf, withKeptFiles } from '#client/bulk-sends/values/header-values.ts'
import { missingIn, ValueFields, valuesOf, withColumns, withFields } from '#client/bulk-sends/values/value-fields.tsx'
import { contactFieldsQuery } from '#client/segments/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { BodySnippet } from '#client/templates/body-snippet.tsx'
import { neededValues } from '#client/templates/send-values.ts'
import { TemplateChoices } from '#client/templates/template-choices.tsx'
import { Field } from '#client/ui/controls/field.tsx'
import { showFirstFault } from '#client/ui/controls/first-fault.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { confirmByNumberFrom, sendNameMaxChars } from '#shared/bulk-sends/limits.ts'
import { paths } from '#shared/kernel/paths.ts'
import { isMarketingCategory } from '#shared/templates/words.ts'
import { DraftState } from './draft-state.tsx'
import { stepsOf } from './draft-steps.ts'
import type { Opened } from './drafted.tsx'
import { Plan } from './plan.tsx'
import { RequestFault } from './request-fault.tsx'
import { StartFields } from './start-fields.tsx'
import { TestSend } from './test-send.tsx'
import { useDraft } from './use-draft.ts'
import { type Planned, usePlanned } from './use-planned.ts'

const ConfirmCount = lazyDialog(() => import('#client/bulk-sends/confirm-count.tsx'))

interface CreateStepsProps {
  readonly opened: Opened
  /** Loads a draft as another person has saved it. */
  onTheirs(id: string): Promise<void>
}

/** The steps of a new bulk send: template, audience, values, plan. */
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
  const sources = withFields(chosen, fields)
  const [cap, setCap] = useState(from.cap)
  const [care, setCare] = useState(from.care)
  const steps = useMemo(
    () => stepsOf({ name, template, typed, sources: chosen, cap, care }),
    [name, template, typed, chosen, cap, care],
  )
  const isAsItBegan =
    name === from.name && template === from.template && typed === from.typed && chosen === from.sources
  const draft = useDraft(openedDraft, steps, !isAsItBegan || cap !== from.cap || care !== from.care)
  const { planned, failure, isWorking, change, plan, changeKey, send } = usePlanned()
  const [areMissingShown, setAreMissingShown] = useState(false)
  /** Local time. Undefined: starts at once. */
  const [wall, setWall] = useState<string>()
  const [clock, setClock] = useState<Clock>('ofOrg')
  const [isTimeMissing, setTimeMissing] = useState(false)
  const startAtOf = useStartAt()
  const startOf = useChosenStart()
  const audience = audienceOf(typed)
  const marketingCap = capOf(cap)
  const isMarketing = template !== undefined && isMarketingCategory(template.category)
  const sentCare = careOf(care, planned?.plan.planned ?? 0)
  /** A template was just chosen. */
  const isChosen = useRef(false)

  const makePlan = () => {
    setAreMissingShown(true)
    if (
      !template ||
      !audience ||
      missingIn(template, sources).length ||
      faultyIn(template.components, withKeptFiles(template, sources)).length ||
      (isMarketing && marketingCap === undefined)
    )
      return showFirstFault()
    plan({
      template: template.id,
      audience,
      values: valuesOf(template, sources),
      ...(isMarketing && marketingCap !== undefined ? { marketingCap } : {}),
    })
  }

  const changeCare = (next: TypedCare) => {
    setCare(next)
    changeKey()
  }

  const chooseStart = (next: string | undefined, by: Clock) => {
    setWall(next)
    setClock(by)
    setTimeMissing(false)
    changeKey()
  }

  const create = ({ request, plan: seen, key }: Planned) => {
    const chosenStart = wall === undefined ? {} : startOf(wall, clock)
    if (!chosenStart) return setTimeMissing(true)
    if (!sentCare) return
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

  const state = (
    <DraftState
      draft={draft}
      onTheirs={onTheirs}
      onDeleted={() => void navigate(paths.bulk(slug), { replace: true })}
    />
  )
  if (!template)
    return (
      <>
        {state}
        <section className="card" aria-labelledby="bulk-step-1">
          <h2 id="bulk-step-1">{t('step.template')}</h2>
          <TemplateChoices
            canSend={() => true}
            onChoose={chosen => {
              isChosen.current = true
              change(() => setTemplate(chosen))
            }}
          />
        </section>
      </>
    )
  return (
    <>
      {state}
      <section className="card" aria-labelledby="bulk-step-1">
        <div className="card-head">
          <h2 id="bulk-step-1">{t('step.template')}</h2>
          <button
            ref={node => {
              // The list with the focus is gone.
              if (node && isChosen.current) node.focus()
              isChosen.current = false
            }}
            type="button"
            className="button bulk-change"
            onClick={() =>
              change(() => {
                setTemplate(undefined)
                setSources({})
              })
            }
          >
            {t('step.otherTemplate')}
          </button>
        </div>
        <p>
          <strong dir="auto">{template.name}</strong>
        </p>
        <p className="bulk-text">
          <BodySnippet template={template} />
        </p>
        <Field
          label={t('name.label')}
          hint={t('name.hint')}
          value={name}
          maxLength={sendNameMaxChars}
          onChange={({ target }) => {
            setName(target.value)
            changeKey()
          }}
        />
      </section>
      <section className="card" aria-labelledby="bulk-step-2">
        <h2 id="bulk-step-2">{t('step.audience')}</h2>
        <AudienceFields
          typed={typed}
          fault={areMissingShown && !audience ? t(typed.file ? 'file.columnMissing' : 'audience.missing') : undefined}
          onChange={next =>
            change(() => {
              setTyped(next)
              setSources(before => withColumns(before, next.file?.check.columns ?? []))
            })
          }
        />
        {isMarketing ? <CapFields typed={cap} onChange={next => change(() => setCap(next))} /> : null}
      </section>
      {neededValues(template.components).length || headerKindOf(template.components) ? (
        <section className="card" aria-labelledby="bulk-step-3">
          <h2 id="bulk-step-3">{t('step.values')}</h2>
          <HeaderFields
            template={template}
            sources={sources}
            columns={typed.file?.check.columns ?? []}
            areMissingShown={areMissingShown}
            onChange={next => change(() => setSources(next))}
          />
          <ValueFields
            template={template}
            sources={sources}
            columns={typed.file?.check.columns ?? []}
            fields={fields}
            areMissingShown={areMissingShown}
            onChange={next => change(() => setSources(next))}
          />
        </section>
      ) : null}
      <section className="card" aria-labelledby="bulk-step-4">
        <h2 id="bulk-step-4">{t('step.plan')}</h2>
        {planned ? (
          <Plan
            plan={planned.plan}
            startsAt={wall === undefined ? undefined : startAtOf(wall)}
            waitMinutes={sentCare?.canary?.waitMinutes ?? 0}
            hasHours={sentCare?.hours != null || (wall !== undefined && clock === 'ofEach')}
            onPricesChanged={makePlan}
          />
        ) : (
          <p>{t('plan.why')}</p>
        )}
        {planned && planned.plan.planned > 0 ? <TestSend request={planned.request} /> : null}
        {planned && planned.plan.planned > 0 ? (
          <CareFields typed={care} planned={planned.plan.planned} onChange={changeCare} />
        ) : null}
        {planned && planned.plan.planned > 0 ? (
          <StartFields
            wall={wall}
            clock={clock}
            fault={isTimeMissing ? t('when.missing') : undefined}
            onChange={chooseStart}
          />
        ) : null}
        {failure ? <RequestFault error={failure} /> : null}
        {confirming ? (
          <ConfirmCount
            count={confirming.plan.planned}
            onConfirm={() => create(confirming)}
            onClose={() => setConfirming(undefined)}
          />
        ) : null}
        <div className="card-buttons">
          {planned && planned.plan.planned > 0 ? (
            <button
              type="button"
              className="button button-primary"
              aria-disabled={isWorking}
              onClick={() => {
                if (isWorking) return
                if (planned.plan.planned < confirmByNumberFrom) create(planned)
                else if (wall !== undefined && !startOf(wall, clock)) setTimeMissing(true)
                else setConfirming(planned)
              }}
            >
              <Icon name={wall === undefined ? 'send' : 'clock'} />
              {t(wall === undefined ? 'plan.send' : 'when.schedule', { count: planned.plan.planned })}
            </button>
          ) : (
            <button
              type="button"
              className="button button-primary"
              aria-disabled={isWorking}
              onClick={() => isWorking || makePlan()}
            >
              {t('plan.make')}
            </button>
          )}
        </div>
      </section>
    </>
  )
}
