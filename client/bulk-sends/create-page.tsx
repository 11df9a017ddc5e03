import { useQueryClient } from '@tanstack/react-query'
import { Suspense, useMemo, useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useNavigate, useSearchParams } from 'react-router'
import { useAnswer } from '#client/app/use-answer.ts'
import { showFirstFault } from '#client/ui/controls/first-fault.ts'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { BulkPlan, PlanInput } from '#shared/bulk-sends/plan.ts'
import { paths } from '#shared/kernel/paths.ts'
import { isMarketingCategory } from '#shared/templates/words.ts'
import { isApiError } from '../app/api-error.ts'
import { start } from '../app/queries.ts'
import { useApi } from '../app/use-api.ts'
import { OrgClock, orgClockQuery } from '../shell/org-clock.tsx'
import { useOrg } from '../shell/viewer.ts'
import { tagsQuery } from '../tags/queries.ts'
import { BodySnippet } from '../templates/body-snippet.tsx'
import { neededValues } from '../templates/send-values.ts'
import { TemplateChoices } from '../templates/template-choices.tsx'
import { AudienceFields, audienceOf } from './audience-fields.tsx'
import { CapFields, capOf } from './cap-fields.tsx'
import { careOf, type TypedCare } from './care.ts'
import { CareFields } from './care-fields.tsx'
import { DraftState } from './draft-state.tsx'
import { stepsOf } from './draft-steps.ts'
import { Drafted, draftIn, MissingOfDraft, newDraft, type Opened, openAnew, settleDraft } from './drafted.tsx'
import { HeaderFields } from './header-fields.tsx'
import { faultyIn, headerKindOf, withKeptFiles } from './header-values.ts'
import { Plan } from './plan.tsx'
import {
  contactFieldsQuery,
  draftsQuery,
  grantedTagsQuery,
  refreshSends,
  segmentsQuery,
  sendsQuery,
} from './queries.ts'
import { Repeated, repeatedIn, settleRepeated } from './repeated.tsx'
import { RequestFault } from './request-fault.tsx'
import { type Clock, StartTime, useChosenStart, useStartAt } from './start-time.tsx'
import { TestSend } from './test-send.tsx'
import { useDraft } from './use-draft.ts'
import { missingIn, ValueFields, valuesOf, withColumns, withFields } from './value-fields.tsx'
import './bulk-sends.css'

export const loader = async (args: LoaderFunctionArgs) => {
  const org = args.params.org ?? ''
  const repeated = repeatedIn(args.request.url)
  const draft = draftIn(args.request.url)
  if (repeated) await settleRepeated(args, org, repeated)
  else if (draft) await settleDraft(args, org, draft)
  return start(
    args,
    tagsQuery(org),
    grantedTagsQuery(org),
    sendsQuery(org),
    segmentsQuery(org),
    contactFieldsQuery(org),
    orgClockQuery(org),
  )
}

/** A plan and its request. Changing the request invalidates the plan. */
interface Planned {
  readonly request: PlanInput
  readonly plan: BulkPlan
  /** Stays the same until there is an answer, so that the send is made once. */
  readonly key: string
}

interface StepsProps {
  readonly opened: Opened
  /** Loads a draft as another person has saved it. */
  onTheirs(id: string): Promise<void>
}

function Steps({ opened: { from, draft: openedDraft }, onTheirs }: StepsProps) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const navigate = useNavigate()
  const [template, setTemplate] = useState(from.template)
  const [typed, setTyped] = useState(from.typed)
  const { items: fields } = useAnswer(contactFieldsQuery(slug))
  const [chosen, setSources] = useState(from.sources)
  const sources = withFields(chosen, fields)
  const [cap, setCap] = useState(from.cap)
  const [care, setCare] = useState(from.care)
  const steps = useMemo(
    () => stepsOf({ template, typed, sources: chosen, cap, care }),
    [template, typed, chosen, cap, care],
  )
  const isAsItBegan = template === from.template && typed === from.typed && chosen === from.sources
  const draft = useDraft(openedDraft, steps, !isAsItBegan || cap !== from.cap || care !== from.care)
  const [planned, setPlanned] = useState<Planned>()
  const [failure, setFailure] = useState<unknown>()
  const [areMissingShown, setAreMissingShown] = useState(false)
  const [isWorking, work] = useTransition()
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
  /** Numbers requests, so that answers to earlier ones are ignored. */
  const asked = useRef(0)
  /** A template was just chosen. */
  const isChosen = useRef(false)
  const change = (apply: () => void) => {
    asked.current += 1
    apply()
    setPlanned(undefined)
    setFailure(undefined)
  }

  const plan = () => {
    setAreMissingShown(true)
    if (
      !template ||
      !audience ||
      missingIn(template, sources).length ||
      faultyIn(template.components, withKeptFiles(template, sources)).length ||
      (isMarketing && marketingCap === undefined)
    )
      return showFirstFault()
    const request: PlanInput = {
      template: template.id,
      audience,
      values: valuesOf(template, sources),
      ...(isMarketing && marketingCap !== undefined ? { marketingCap } : {}),
    }
    const mine = asked.current
    work(async () => {
      setFailure(undefined)
      try {
        const found = await api.bulkSends.plan({ body: request })
        if (mine === asked.current) setPlanned({ request, plan: found, key: crypto.randomUUID() })
      } catch (error) {
        if (mine === asked.current) setFailure(error)
      }
    })
  }

  const changeCare = (next: TypedCare) => {
    setCare(next)
    setFailure(undefined)
    // A different request needs another key.
    setPlanned(before => before && { ...before, key: crypto.randomUUID() })
  }

  const choose = (next: string | undefined, by = clock) => {
    setWall(next)
    setClock(by)
    setTimeMissing(false)
    setFailure(undefined)
    // A different request needs another key.
    setPlanned(before => before && { ...before, key: crypto.randomUUID() })
  }

  const send = ({ request, plan: seen, key }: Planned) => {
    const chosenStart = wall === undefined ? {} : startOf(wall, clock)
    if (!chosenStart) return setTimeMissing(true)
    if (!sentCare) return
    work(async () => {
      setFailure(undefined)
      try {
        // The draft is deleted in the commit that makes the send.
        await draft.flush()
        const draftId = draft.id()
        const of = draftId === undefined ? {} : { draft: draftId }
        const body = { ...request, ...of, startIfPlanned: seen.planned, ...sentCare, ...chosenStart }
        const { id } = await api.bulkSends.create({ body }, { idempotencyKey: key })
        draft.end()
        void client.invalidateQueries({ queryKey: draftsQuery(slug).queryKey })
        await refreshSends(client, slug)
        // Replaces the address, because the draft no longer exists.
        await navigate(paths.bulkSend(slug, id), { replace: true })
      } catch (error) {
        if (isApiError(error) && error.status >= 400 && error.status < 500)
          setPlanned({ request, plan: seen, key: crypto.randomUUID() })
        setFailure(error)
      }
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
            onPricesChanged={plan}
          />
        ) : (
          <p>{t('plan.why')}</p>
        )}
        {planned && planned.plan.planned > 0 ? <TestSend request={planned.request} /> : null}
        {planned && planned.plan.planned > 0 ? (
          <CareFields typed={care} planned={planned.plan.planned} onChange={changeCare} />
        ) : null}
        {planned && planned.plan.planned > 0 ? (
          <fieldset className="bulk-when">
            <legend>{t('when.title')}</legend>
            {(['now', 'ofOrg', 'ofEach'] as const).map(one => (
              <label key={one} className="bulk-check">
                <input
                  type="radio"
                  name="bulk-when"
                  checked={wall === undefined ? one === 'now' : one === clock}
                  onChange={() => (one === 'now' ? choose(undefined) : choose(wall ?? '', one))}
                />
                <span>{t(`when.${one}`)}</span>
              </label>
            ))}
            {wall === undefined ? null : (
              <StartTime
                wall={wall}
                clock={clock}
                fault={isTimeMissing ? t('when.missing') : undefined}
                onChange={next => choose(next)}
              />
            )}
          </fieldset>
        ) : null}
        {failure ? <RequestFault error={failure} /> : null}
        <div className="card-buttons">
          {planned && planned.plan.planned > 0 ? (
            <button
              type="button"
              className="button button-primary"
              aria-disabled={isWorking}
              onClick={() => isWorking || send(planned)}
            >
              <Icon name={wall === undefined ? 'send' : 'clock'} />
              {t(wall === undefined ? 'plan.send' : 'when.schedule', { count: planned.plan.planned })}
            </button>
          ) : (
            <button
              type="button"
              className="button button-primary"
              aria-disabled={isWorking}
              onClick={() => isWorking || plan()}
            >
              {t('plan.make')}
            </button>
          )}
        </div>
      </section>
    </>
  )
}

/** The steps with their initial values. */
function Begun({ first }: { first: Opened }) {
  const { slug } = useOrg()
  const client = useQueryClient()
  const [{ opened, key }, setOpened] = useState({ opened: first, key: 0 })
  const onTheirs = async (id: string) => {
    const next = await openAnew(client, slug, id)
    setOpened(before => ({ opened: next, key: before.key + 1 }))
  }
  return (
    <>
      <MissingOfDraft opened={opened} />
      <Steps key={key} opened={opened} onTheirs={onTheirs} />
    </>
  )
}

/**
 * `/org/{slug}/c/masive/new`: template, audience, values, plan, send; `?draft=` continues one, `?repeat=` begins like
 * an earlier send.
 */
export default function BulkCreatePage() {
  const { t } = useTranslation('bulk-sends')
  const query = useSearchParams()[0]
  const [repeated, draft] = [query.get('repeat'), query.get('draft')]
  return (
    <main className="sheet">
      <SheetHead title={t('create')}>{t('text')}</SheetHead>
      <Suspense fallback={<div className="skeleton bulk-skeleton" aria-hidden="true" />}>
        <OrgClock>
          {repeated ? (
            <Repeated key={repeated} id={repeated}>
              {from => <Begun first={{ from, draft: undefined }} />}
            </Repeated>
          ) : draft ? (
            <Drafted key={draft} id={draft}>
              {opened => <Begun first={opened} />}
            </Drafted>
          ) : (
            <Begun first={newDraft} />
          )}
        </OrgClock>
      </Suspense>
    </main>
  )
}
