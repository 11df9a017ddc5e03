import { Suspense, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useParams, useSearchParams } from 'react-router'
import { settle, start } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { OrgClock, orgClockQuery } from '#client/shell/org-clock.tsx'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { When } from '#client/templates/words.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { SheetHead } from '#client/ui/page/sheet-head.tsx'
import { recipientOutcomes, recipientStates } from '#shared/bulk-sends/states.ts'
import { OutcomeChart } from '../outcomes.tsx'
import { type ShownPeople, sendQuery } from '../queries.ts'
import { useStartOf, useStartsAt } from '../start-time.tsx'
import { useSendEvents } from '../use-send-events.ts'
import { hasEnded, needsApproval, peopleOf, StateChip, settledOf, useDuration } from '../words.tsx'
import { Controls, waitsForRight } from './controls.tsx'
import { CostFact } from './cost-fact.tsx'
import { DeliveryCurve } from './curve.tsx'
import { ReasonGroups } from './reason-groups.tsx'
import { Recipients } from './recipients.tsx'
import { SentCard } from './sent-card.tsx'
import '../bulk-sends.css'

export const loader = async (args: LoaderFunctionArgs) => {
  await settle(args, sendQuery(args.params.org ?? '', args.params.idSend ?? ''))
  return start(args, orgClockQuery(args.params.org ?? ''))
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
            {t(began ? 'by.sent' : 'by.created', { name: send.createdBy })} ·{' '}
            <When at={send.startedAt ?? send.createdAt} />
          </span>
        </SheetHead>
        <Controls send={send} />
      </div>
      <section className="card" aria-labelledby="bulk-progress">
        <h2 id="bulk-progress">
          {t(send.state === 'scheduled' ? 'state.scheduled' : hasEnded(send) ? 'resultTitle' : 'progressTitle')}
        </h2>
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
            <p className="bulk-headline">{t('startsOn', { when: start })}</p>
          ) : null}
          {send.state === 'preparing' ? <p>{t('isPreparing')}</p> : null}
        </div>
        {send.state === 'scheduled' ? (
          <dl className="facts-list">
            <dt>{t('audience.title')}</dt>
            <dd>
              {t('count.people', { count: peopleOf(send) })}
              {send.counts.omitted ? <small>{t('result.omitted', { count: send.counts.omitted })}</small> : null}
            </dd>
            <CostFact send={send} />
          </dl>
        ) : null}
        {send.optedOut ? <p className="field-hint">{t('optedOut', { count: send.optedOut })}</p> : null}
        {send.reason ? <Fault>{t(`blocked.${send.reason}`)}</Fault> : null}
        {waitsForRight(send) ? <p>{start ? t('comesBackAt', { when: start }) : t('comesBack')}</p> : null}
        {began ? <OutcomeChart send={send} /> : null}
        <DeliveryCurve send={send} />
      </section>
      <ReasonGroups groups={send.groups} counts={send.counts} onShow={showGroup} />
      <SentCard send={send} />
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
