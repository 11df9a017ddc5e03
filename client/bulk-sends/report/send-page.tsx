import { useQueryClient } from '@tanstack/react-query'
import { type MouseEvent, Suspense, useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useParams, useSearchParams } from 'react-router'
import { settle, start } from '#client/app/queries.ts'
import { useAnswer } from '#client/app/use-answer.ts'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { AudienceWords } from '#client/bulk-sends/audience-words.tsx'
import { OutcomeChart } from '#client/bulk-sends/outcomes.tsx'
import { refreshSends, type ShownPeople, sendQuery } from '#client/bulk-sends/queries.ts'
import { Approve } from '#client/bulk-sends/report/approve.tsx'
import { CancelSend } from '#client/bulk-sends/report/cancel-send.tsx'
import { CostFact } from '#client/bulk-sends/report/cost-fact.tsx'
import { DeliveryCurve } from '#client/bulk-sends/report/curve.tsx'
import { ReasonGroups } from '#client/bulk-sends/report/reason-groups.tsx'
import { Recipients } from '#client/bulk-sends/report/recipients.tsx'
import { mayRepeat, RepeatLink } from '#client/bulk-sends/report/repeat-link.tsx'
import { useStartOf, useStartsAt } from '#client/bulk-sends/start-time.tsx'
import { useSendEvents } from '#client/bulk-sends/use-send-events.ts'
import { needsApproval, peopleOf, StateChip, settledOf, useDuration } from '#client/bulk-sends/words.tsx'
import { OrgClock, orgClockQuery } from '#client/shell/org-clock.tsx'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { MarkedText } from '#client/templates/body-snippet.tsx'
import { LanguageName, When } from '#client/templates/words.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { confirmByNumberFrom } from '#shared/bulk-sends/limits.ts'
import type { BulkSendReport } from '#shared/bulk-sends/sends.ts'
import { recipientOutcomes, recipientStates } from '#shared/bulk-sends/states.ts'
import { paths } from '#shared/kernel/paths.ts'
import '#client/bulk-sends/bulk-sends.css'

const ConfirmCount = lazyDialog(() => import('#client/bulk-sends/confirm-count.tsx'))
const ScheduleDialog = lazyDialog(() => import('#client/bulk-sends/report/schedule-dialog.tsx'))

export const loader = async (args: LoaderFunctionArgs) => {
  await settle(args, sendQuery(args.params.org ?? '', args.params.idSend ?? ''))
  return start(args, orgClockQuery(args.params.org ?? ''))
}

type Step = 'start' | 'pause' | 'resume' | 'unschedule' | 'retry'
const nextStep: Readonly<Partial<Record<BulkSendReport['state'], Step>>> = {
  ready: 'start',
  scheduled: 'start',
  running: 'pause',
  paused: 'resume',
  blocked: 'resume',
  completed: 'retry',
}
/** Number of recipients whose failure may have passed. */
const retryable = ({ groups }: BulkSendReport): number =>
  groups.reduce((sum, { mayRetry, count }) => sum + (mayRetry ? count : 0), 0)
/** It is unblocked automatically when its creator may send to these people again. */
const waitsForRight = ({ state, reason, startedAt }: BulkSendReport) =>
  state === 'blocked' && reason === 'noPermission' && startedAt === null
const isOver = ({ state }: BulkSendReport) => state === 'completed' || state === 'cancelled'

function Controls({ send }: { send: BulkSendReport }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<unknown>()
  const [isCancelling, setIsCancelling] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const [isWorking, work] = useTransition()
  const [asked, setAsked] = useState<Step>()
  const step = waitsForRight(send) || needsApproval(send) ? undefined : nextStep[send.state]
  const canRetry = send.state === 'completed' ? retryable(send) + send.counts.planned : 0
  const isPossible = step === 'retry' ? canRetry > 0 : step !== 'start' || send.counts.planned > 0
  const [isScheduling, setIsScheduling] = useState(false)
  const isScheduled = send.state === 'scheduled'
  /** An event may show the next step before the answer to the current one. */
  const isAsked = (step: Step) => isWorking && asked === step
  const go = (step: Step, { detail }: MouseEvent) => {
    // The second click of a double click was meant for the step shown at the first.
    if (isAsked(step) || detail > 1) return
    if (step === 'start' && send.counts.planned >= confirmByNumberFrom) return setIsConfirming(true)
    setAsked(step)
    work(async () => {
      setFailure(undefined)
      try {
        await api.bulkSends[step]({ params: { id: send.id } })
      } catch (error) {
        setFailure(error)
      }
      await refreshSends(client, slug, send.id)
    })
  }
  const startLarge = async () => {
    await api.bulkSends.start({ params: { id: send.id } })
    await refreshSends(client, slug, send.id)
  }
  return (
    <>
      <div className="card-buttons bulk-controls">
        {needsApproval(send) ? <Approve send={send} /> : null}
        {step && isPossible ? (
          <button
            type="button"
            className={step === 'pause' ? 'button' : 'button button-primary'}
            aria-disabled={isAsked(step)}
            onClick={event => go(step, event)}
          >
            {isScheduled
              ? t('do.startNow')
              : step === 'start' || step === 'retry'
                ? t(`do.${step}`, { count: step === 'retry' ? canRetry : send.counts.planned })
                : t(`do.${step}`)}
          </button>
        ) : null}
        {step === 'start' && isPossible ? (
          <button type="button" className="button" onClick={() => setIsScheduling(true)}>
            {t(isScheduled ? 'do.reschedule' : 'do.schedule')}
          </button>
        ) : null}
        {isScheduled ? (
          <button
            type="button"
            className="button"
            aria-disabled={isAsked('unschedule')}
            onClick={event => go('unschedule', event)}
          >
            {t('do.unschedule')}
          </button>
        ) : null}
        {isOver(send) ? null : (
          <button type="button" className="button" onClick={() => setIsCancelling(true)}>
            {t('do.cancel')}
          </button>
        )}
        {mayRepeat(send) ? <RepeatLink id={send.id} /> : null}
      </div>
      {failure ? <Fault>{failureText(failure)}</Fault> : null}
      {isScheduling ? <ScheduleDialog send={send} onClose={() => setIsScheduling(false)} /> : null}
      {isConfirming ? (
        <ConfirmCount count={send.counts.planned} onConfirm={startLarge} onClose={() => setIsConfirming(false)} />
      ) : null}
      {isCancelling ? <CancelSend id={send.id} onClose={() => setIsCancelling(false)} /> : null}
    </>
  )
}

/** The safety settings of a send. Nothing if there are none. */
function Care({ send: { canary, hours, limits } }: { send: Pick<BulkSendReport, 'canary' | 'hours' | 'limits'> }) {
  const { t } = useTranslation('bulk-sends')
  const { failedPercent, optedOutPercent } = limits
  const stops = [
    ...(failedPercent === null ? [] : [t('care.limitFailed', { percent: failedPercent })]),
    ...(optedOutPercent === null ? [] : [t('care.limitOptedOut', { percent: optedOutPercent })]),
  ]
  return (
    <>
      {canary ? (
        <>
          <dt>{t('care.firstTitle')}</dt>
          <dd>{t('care.first', { count: canary.people, minutes: canary.waitMinutes })}</dd>
        </>
      ) : null}
      {hours ? (
        <>
          <dt>{t('care.hoursTitle')}</dt>
          <dd>{t('care.hoursSays', hours)}</dd>
        </>
      ) : null}
      {stops.length ? (
        <>
          <dt>{t('care.limits')}</dt>
          <dd>{stops.join(' · ')}</dd>
        </>
      ) : null}
    </>
  )
}

function Report() {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const { idSend = '' } = useParams()
  const duration = useDuration()
  const when = useStartsAt()
  const startOf = useStartOf()
  useSendEvents(slug)
  const send = useAnswer(sendQuery(slug, idSend))
  const { user } = useViewer()
  const start = startOf(send)
  const [query] = useSearchParams()
  const [shown, setShown] = useState<ShownPeople>(() => ({
    state: recipientStates.find(state => state === query.get('state')),
    outcome: recipientOutcomes.find(outcome => outcome === query.get('outcome')),
  }))
  const people = useRef<HTMLHeadingElement>(null)
  const showGroup = (group: ShownPeople) => {
    setShown(group)
    people.current?.focus({ preventScroll: true })
    people.current?.scrollIntoView({ block: 'start' })
  }
  // Only the canary was handed over.
  const isWaiting =
    send.state === 'running' && send.canary !== null && peopleOf(send) - send.counts.planned <= send.canary.people
  return (
    <>
      <div className="bulk-head bulk-report-head line wrap">
        <SheetHead title={send.name}>
          {send.isTest ? <span className="chip">{t('test.chip')}</span> : null}
          <StateChip send={send} />
          <span>
            {send.createdBy} · <When at={send.startedAt ?? send.createdAt} />
          </span>
        </SheetHead>
        <Controls send={send} />
      </div>
      <section className="card" aria-labelledby="bulk-progress">
        <h2 id="bulk-progress">{t('progressTitle')}</h2>
        <div role="status">
          <p className="bulk-headline">{t('progress', { settled: settledOf(send), count: peopleOf(send) })}</p>
          {send.held ? (
            <p>{t(`held.${send.held.why}`, { when: when(send.held.until) })}</p>
          ) : isWaiting && send.waitsUntil ? (
            <p>{t('isWaiting', { count: send.canary?.people ?? 0, when: when(send.waitsUntil) })}</p>
          ) : send.state === 'running' && send.counts.planned > 0 ? (
            <>
              <p className="field-hint">{t('left', { time: duration(send.counts.planned / send.perSecond) })}</p>
              {send.perSecond < send.usualPerSecond ? (
                <p className="field-hint">{t('slowed', { count: send.perSecond })}</p>
              ) : null}
            </>
          ) : null}
          {needsApproval(send) ? (
            <>
              <p>{t('approval.needed', { count: peopleOf(send) })}</p>
              {send.creatorId === user.id ? <p className="field-hint">{t('approval.own')}</p> : null}
            </>
          ) : null}
          {send.state === 'ready' && !needsApproval(send) ? <p>{t('isReady', { count: peopleOf(send) })}</p> : null}
          {send.state === 'scheduled' && start ? (
            <p>{t('isScheduled', { count: peopleOf(send), when: start })}</p>
          ) : null}
          {send.state === 'preparing' ? <p>{t('isPreparing')}</p> : null}
        </div>
        {send.optedOut ? <p className="field-hint">{t('optedOut', { count: send.optedOut })}</p> : null}
        {send.reason ? <Fault>{t(`blocked.${send.reason}`)}</Fault> : null}
        {waitsForRight(send) ? <p>{start ? t('comesBackAt', { when: start }) : t('comesBack')}</p> : null}
        <OutcomeChart send={send} />
        <DeliveryCurve send={send} />
      </section>
      <ReasonGroups groups={send.groups} counts={send.counts} onShow={showGroup} />
      <section className="card bulk-what" aria-labelledby="bulk-what">
        <h2 id="bulk-what">{t('what')}</h2>
        <p className="bulk-text">
          <MarkedText text={send.text} />
        </p>
        <dl className="facts-list">
          <dt>{t('template')}</dt>
          <dd>
            <Link to={paths.template(slug, send.template.id)} dir="auto">
              {send.template.name}
            </Link>
          </dd>
          <dt>{t('language')}</dt>
          <dd>
            <LanguageName code={send.template.language} />
          </dd>
          <dt>{t('audience.title')}</dt>
          <dd>
            <AudienceWords audience={send.audience} />
          </dd>
          <CostFact cost={send.cost} />
          <Care send={send} />
          <dt>{t('by')}</dt>
          <dd>
            {send.createdBy} · <When at={send.createdAt} />
          </dd>
          {send.approval?.at ? (
            <>
              <dt>{t('approval.by')}</dt>
              <dd>
                {send.approval.by} · <When at={send.approval.at} />
              </dd>
            </>
          ) : null}
          {send.startedAt ? (
            <>
              <dt>{t('startedAt')}</dt>
              <dd>
                <When at={send.startedAt} />
              </dd>
            </>
          ) : null}
          {send.endedAt ? (
            <>
              <dt>{t('endedAt')}</dt>
              <dd>
                <When at={send.endedAt} />
              </dd>
            </>
          ) : null}
        </dl>
      </section>
      {send.state === 'preparing' ? null : <Recipients send={send} shown={shown} ref={people} onShow={setShown} />}
    </>
  )
}

/** `/org/{slug}/c/masive/{id}`: a send's progress and report. */
export default function BulkSendPage() {
  return (
    <main className="sheet bulk-report-sheet">
      <Suspense fallback={<div className="skeleton bulk-skeleton" aria-hidden="true" />}>
        <OrgClock>
          <div className="bulk-report">
            <Report />
          </div>
        </OrgClock>
      </Suspense>
    </main>
  )
}
