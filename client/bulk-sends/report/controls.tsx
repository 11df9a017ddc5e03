import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { LazyConfirm } from '#client/ui/overlays/lazy-confirm.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { confirmByNumberFrom } from '#shared/bulk-sends/limits.ts'
import type { BulkSendReport } from '#shared/bulk-sends/sends.ts'
import { paths } from '#shared/kernel/paths.ts'
import { refreshSends } from '../queries.ts'
import { hasEnded, needsApproval } from '../words.tsx'
import { Approve } from './approve.tsx'
import { CancelSend } from './cancel-send.tsx'
import { mayRepeat, RepeatLink } from './repeat-link.tsx'

const ConfirmCount = lazyDialog(() => import('../confirm-count.tsx'))
const ScheduleDialog = lazyDialog(() => import('./schedule-dialog.tsx'))

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
/** True if the send is blocked until its creator may send to these people again, which unblocks it automatically. */
export const waitsForRight = ({ state, reason, startedAt }: BulkSendReport) =>
  state === 'blocked' && reason === 'noPermission' && startedAt === null

/** The actions that a send allows in its state. For a scheduled send none is emphasized, because it starts by itself. */
export function Controls({ send }: { send: BulkSendReport }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<unknown>()
  const [isCancelling, setIsCancelling] = useState(false)
  const [isConfirming, setIsConfirming] = useState(false)
  const [isStarting, setIsStarting] = useState(false)
  const navigate = useNavigate()
  const [isWorking, work] = useTransition()
  const [asked, setAsked] = useState<Step>()
  const step = waitsForRight(send) || needsApproval(send) ? undefined : nextStep[send.state]
  const canRetry = send.state === 'completed' ? retryable(send) + send.counts.planned : 0
  const isPossible = step === 'retry' ? canRetry > 0 : step !== 'start' || send.counts.planned > 0
  const [isScheduling, setIsScheduling] = useState(false)
  const isScheduled = send.state === 'scheduled'
  /** An event may show the next step before the answer to the current one. */
  const isAsked = (step: Step) => isWorking && asked === step
  const isLarge = send.counts.planned >= confirmByNumberFrom
  const go = (step: Step) => {
    if (isAsked(step)) return
    if (step === 'start' && isLarge) return setIsConfirming(true)
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
  const startNow = async () => {
    await api.bulkSends.start({ params: { id: send.id } })
    await refreshSends(client, slug, send.id)
  }
  return (
    <>
      <div className="card-buttons bulk-controls">
        {needsApproval(send) ? <Approve send={send} /> : null}
        {step && isPossible && !isScheduled ? (
          <button
            type="button"
            className={step === 'pause' ? 'button' : 'button button-primary'}
            aria-disabled={isAsked(step)}
            // The second click of a double click was meant for the step shown at the first.
            onClick={({ detail }) => (detail > 1 ? undefined : go(step))}
          >
            {step === 'start' || step === 'retry'
              ? t(`do.${step}`, { count: step === 'retry' ? canRetry : send.counts.planned })
              : t(`do.${step}`)}
          </button>
        ) : null}
        {step === 'start' && isPossible ? (
          <button type="button" className="button" onClick={() => setIsScheduling(true)}>
            {t(isScheduled ? 'do.reschedule' : 'do.schedule')}
          </button>
        ) : null}
        {hasEnded(send) || isScheduled ? null : (
          <button type="button" className="button" onClick={() => setIsCancelling(true)}>
            {t('do.cancel')}
          </button>
        )}
        {mayRepeat(send) && hasEnded(send) ? <RepeatLink id={send.id} /> : null}
        {hasEnded(send) || (!isScheduled && !mayRepeat(send)) ? null : (
          <RowMenu
            label={t('do.more')}
            items={() => (
              <>
                {isScheduled && isPossible ? (
                  <MenuItem onClick={() => (isLarge ? setIsConfirming(true) : setIsStarting(true))}>
                    {t('do.startNow')}
                  </MenuItem>
                ) : null}
                {isScheduled ? <MenuItem onClick={() => go('unschedule')}>{t('do.unschedule')}</MenuItem> : null}
                {mayRepeat(send) ? (
                  <MenuItem onClick={() => void navigate(paths.bulkRepeat(slug, send.id))}>{t('repeat.link')}</MenuItem>
                ) : null}
                {isScheduled ? (
                  <MenuItem danger onClick={() => setIsCancelling(true)}>
                    {t('do.cancel')}
                  </MenuItem>
                ) : null}
              </>
            )}
          />
        )}
      </div>
      {failure ? <Fault>{failureText(failure)}</Fault> : null}
      {isScheduling ? <ScheduleDialog send={send} onClose={() => setIsScheduling(false)} /> : null}
      {isConfirming ? (
        <ConfirmCount count={send.counts.planned} onConfirm={startNow} onClose={() => setIsConfirming(false)} />
      ) : null}
      {isStarting ? (
        <LazyConfirm
          title={t('startNow.title')}
          says={[t('startNow.says', { count: send.counts.planned })]}
          confirm={t('do.startNow')}
          tone="primary"
          run={startNow}
          onClose={() => setIsStarting(false)}
        />
      ) : null}
      {isCancelling ? <CancelSend id={send.id} onClose={() => setIsCancelling(false)} /> : null}
    </>
  )
}
