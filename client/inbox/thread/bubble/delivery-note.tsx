import { type ReactNode, useState } from 'react'
import { Icon, type IconName } from '#client/ui/pictures/icon.tsx'
import { useMsUntil } from '#client/ui/text/moment.tsx'
import type { Message } from '#shared/inbox/messages.ts'
import { paths } from '#shared/kernel/paths.ts'
import { countdown } from '#shared/kernel/time.ts'
import { uploadingCode } from '../../composer/files/sending-files.ts'
import { heldCode, signedOutCode, waitingCode } from '../../composer/outgoing.ts'
import { type InboxT, messageFailure } from '../../words.ts'
import { ConnectionLink } from '../connection-link.tsx'
import { type ChatStep, NextStep } from './next-step.tsx'

/** Cancelled by a person, not a failure. */
const cancelledCode = 'CANCELLED'

interface DeliveryNoteProps {
  message: Message
  t: InboxT
  onRetry?: ((message: Message) => void) | undefined
  onDiscard?: ((message: Message) => void) | undefined
  onCancel?: ((message: Message) => void) | undefined
  /** Opens what helps after a failure. */
  onStep?: ((step: ChatStep) => void) | undefined
}

const Note = ({ icon, isFailure = false, children }: { icon: IconName; isFailure?: boolean; children: ReactNode }) => (
  <div className={isFailure ? 'failure' : 'failure failure-waiting'}>
    <Icon name={icon} />
    <span>{children}</span>
  </div>
)

interface StepProps {
  onPress: () => void
  isOpen?: boolean
  children: ReactNode
}

const Step = ({ onPress, isOpen, children }: StepProps) => (
  <button type="button" className="link" aria-expanded={isOpen} onClick={onPress}>
    {children}
  </button>
)

/** Fits on two lines. */
const shortReasonChars = 120

/** Why it failed: the first two lines of a long text, and the rest on a click. Whole where it asks to look first. */
const Reason = ({ text, isWhole, t }: { text: string; isWhole: boolean; t: InboxT }) => {
  const [isOpen, setIsOpen] = useState(false)
  if (isWhole || text.length <= shortReasonChars) return text
  return (
    <>
      <span className={isOpen ? undefined : 'failure-short'}>{text}</span>{' '}
      <Step isOpen={isOpen} onPress={() => setIsOpen(!isOpen)}>
        {t(isOpen ? 'action.less' : 'action.more')}
      </Step>
    </>
  )
}

/** Countdown to the next attempt. Announced once, otherwise a screen reader would read every second. */
const Countdown = ({ until, t }: { until: string; t: InboxT }) => {
  const leftMs = useMsUntil(until)
  return (
    <span role="timer" aria-live="off">
      {leftMs > 0 ? t('waiting.leavesIn', { time: countdown(leftMs) }) : t('waiting.leaving')}
    </span>
  )
}

/** Still in this browser, for lack of a connection or session. */
const KeptHere = ({ message, t, onDiscard }: DeliveryNoteProps) => (
  <Note icon="clock">
    {message.error?.code === signedOutCode ? (
      <>
        {t('status.signedOut')}{' '}
        <a className="link" href={paths.login(location.pathname + location.search)}>
          {t('action.signIn')}
        </a>
      </>
    ) : (
      t('status.waiting')
    )}{' '}
    {onDiscard ? <Step onPress={() => onDiscard(message)}>{t('action.cancelSend')}</Step> : null}
  </Note>
)

/** Upload progress, not announced, otherwise a screen reader would read every step. */
const Uploading = ({ message, t, onDiscard }: DeliveryNoteProps) => {
  const percent = Number(message.error?.message)
  return (
    <Note icon="clock">
      <span aria-live="off" className="uploading">
        <progress max={100} value={percent} aria-label={t('files.uploading')} />
        {t('files.percent', { percent })}
      </span>{' '}
      {onDiscard ? <Step onPress={() => onDiscard(message)}>{t('files.cancel')}</Step> : null}
    </Note>
  )
}

/** False for most messages, which then cost nothing more. */
export const hasDeliveryNote = ({ status, error, waiting, unconfirmed }: Message): boolean =>
  status === 'failed' || error !== undefined || unconfirmed === true || (waiting !== undefined && status === 'queued')

/** Below a message of ours that was not delivered: why, until when, and what can be done. */
export const DeliveryNote = (props: DeliveryNoteProps) => {
  const { message, t, onRetry, onDiscard, onCancel, onStep } = props
  const { error, waiting } = message
  if (error?.code === uploadingCode) return <Uploading {...props} />
  if (error?.code === heldCode)
    return (
      <Note icon="clock">
        {t('undo.leaves')} {onDiscard ? <Step onPress={() => onDiscard(message)}>{t('undo.undo')}</Step> : null}
      </Note>
    )
  if (error?.code === waitingCode || error?.code === signedOutCode) return <KeptHere {...props} />
  if (waiting && message.status === 'queued')
    return (
      <Note icon="clock">
        {t(`waiting.${waiting.reason}`)} <Countdown until={waiting.until} t={t} />{' '}
        {onCancel ? <Step onPress={() => onCancel(message)}>{t('action.cancelSend')}</Step> : null}
      </Note>
    )
  const reason = messageFailure(t, message)
  if (!reason) return null
  if (message.status !== 'failed') return <Note icon="clock">{reason}</Note>
  const isCancelled = error?.code === cancelledCode
  const isHere = message.id === message.clientKey
  const mayHaveArrived = error?.next?.step === 'checkChat'
  const again = isCancelled ? 'failureNext.sendAnyway' : mayHaveArrived ? 'action.retryTwice' : 'action.retry'
  const retry = onRetry ? <Step onPress={() => onRetry(message)}>{t(again)}</Step> : null
  return (
    <Note icon={isCancelled ? 'close' : 'warn'} isFailure={!isCancelled}>
      <Reason text={reason} isWhole={mayHaveArrived} t={t} />{' '}
      {error?.next ? (
        <NextStep next={error.next} t={t} onStep={onStep} retry={retry} />
      ) : (
        <>
          {isCancelled ? null : <ConnectionLink />} {retry}
        </>
      )}{' '}
      {onDiscard && isHere ? <Step onPress={() => onDiscard(message)}>{t('action.discard')}</Step> : null}
    </Note>
  )
}
