import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link, type LoaderFunctionArgs, useParams, useSearchParams } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { settle, start } from '#client/app/queries.ts'
import { useAnswer } from '#client/app/use-answer.ts'
import { AudienceWords } from '#client/bulk-sends/audience-words.tsx'
import { OutcomeChart } from '#client/bulk-sends/outcomes.tsx'
import { type ShownPeople, sendQuery } from '#client/bulk-sends/queries.ts'
import { Controls, waitsForRight } from '#client/bulk-sends/report/controls.tsx'
import { CostFact } from '#client/bulk-sends/report/cost-fact.tsx'
import { DeliveryCurve } from '#client/bulk-sends/report/curve.tsx'
import { ReasonGroups } from '#client/bulk-sends/report/reason-groups.tsx'
import { Recipients } from '#client/bulk-sends/report/recipients.tsx'
import { useStartOf, useStartsAt } from '#client/bulk-sends/start-time.tsx'
import { useSendEvents } from '#client/bulk-sends/use-send-events.ts'
import { needsApproval, peopleOf, StateChip, settledOf, useDuration } from '#client/bulk-sends/words.tsx'
import { OrgClock, orgClockQuery } from '#client/shell/org-clock.tsx'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { MarkedText } from '#client/templates/body-snippet.tsx'
import { LanguageName, When } from '#client/templates/words.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { BulkSendReport } from '#shared/bulk-sends/sends.ts'
import { recipientOutcomes, recipientStates } from '#shared/bulk-sends/states.ts'
import { paths } from '#shared/kernel/paths.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { variableNames } from '#shared/templates/variables.ts'
import '#client/bulk-sends/bulk-sends.css'

export const loader = async (args: LoaderFunctionArgs) => {
  await settle(args, sendQuery(args.params.org ?? '', args.params.idSend ?? ''))
  return start(args, orgClockQuery(args.params.org ?? ''))
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

/** A send takes minutes: its facts have the time, too. */
function At({ at }: { readonly at: string }) {
  const { language } = useFacts()
  const { timeZone } = useMoment()
  return <time dateTime={at}>{shortTime(at, language, timeZone)}</time>
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
  const began = send.startedAt !== null
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
          {began ? (
            <p className="bulk-headline">{t('progress', { settled: settledOf(send), count: peopleOf(send) })}</p>
          ) : send.state === 'cancelled' || send.state === 'blocked' ? (
            <p>{t('result.people', { count: peopleOf(send) })}</p>
          ) : null}
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
        {began ? <OutcomeChart send={send} /> : null}
        <DeliveryCurve send={send} />
      </section>
      <ReasonGroups groups={send.groups} counts={send.counts} onShow={showGroup} />
      <section className="card bulk-what" aria-labelledby="bulk-what">
        <h2 id="bulk-what">{t('what')}</h2>
        <p className="bulk-text">
          <MarkedText text={send.text} example={send.textExample} known={send.textValues} />
        </p>
        {variableNames(send.text).some(name => !send.textValues[name]) ? (
          <p className="field-hint">{t('whatVaries')}</p>
        ) : null}
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
            {send.createdBy} <At at={send.createdAt} />
          </dd>
          {send.approval?.at ? (
            <>
              <dt>{t('approval.by')}</dt>
              <dd>
                {send.approval.by} · <At at={send.approval.at} />
              </dd>
            </>
          ) : null}
          {send.startedAt ? (
            <>
              <dt>{t('startedAt')}</dt>
              <dd>
                <At at={send.startedAt} />
              </dd>
            </>
          ) : null}
          {send.endedAt ? (
            <>
              <dt>{t('endedAt')}</dt>
              <dd>
                <At at={send.endedAt} />
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
