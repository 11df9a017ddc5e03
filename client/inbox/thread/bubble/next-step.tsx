import type { ReactNode } from 'react'
import { useOrg } from '#client/shell/viewer.ts'
import { useMsUntil } from '#client/ui/text/moment.tsx'
import { canRetryAfter, type FailureNext, type FailureStep } from '#shared/inbox/failures.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { useBackText } from '../../snooze/use-back-text.ts'
import type { InboxT } from '../../words.ts'
import { ConnectionLink } from '../connection-link.tsx'

/** Steps that open something in this chat. */
const chatSteps = {
  template: 'template',
  otherTemplate: 'template',
  otherKind: 'template',
  checkNumber: 'contact',
  otherNumber: 'contact',
  unblock: 'contact',
  confirmIdentity: 'contact',
  optOut: 'optOut',
} as const satisfies Partial<Record<FailureStep, string>>
export type ChatStep = (typeof chatSteps)[keyof typeof chatSteps]

/** Pages of Meta where only its account's people can act. */
const metaPages = {
  pay: 'https://business.facebook.com/billing_hub/accounts/',
  atMeta: 'https://business.facebook.com/wa/manage/home/',
} as const satisfies Partial<Record<FailureStep, string>>

interface NextStepProps {
  readonly next: FailureNext
  readonly t: InboxT
  /** Undefined: the person may not write here. */
  readonly onStep: ((step: ChatStep) => void) | undefined
  /** The button that sends it again. */
  readonly retry: ReactNode
}

/** The retry button, from the time on when it can help. */
const Later = ({ until, retry, t }: Pick<NextStepProps, 'retry' | 't'> & { readonly until: string }) => {
  const when = useBackText(useOrg().slug)
  return useMsUntil(until) > 0 ? t('status.waitUntil', { when: when(until) }) : retry
}

/** A link for people who may manage the connection; its words for the others. */
const AtMeta = ({ step, t }: { readonly step: 'pay' | 'atMeta'; readonly t: InboxT }) => {
  const { role } = useOrg()
  const words = t(`failureNext.${step}`)
  if (!roleCan(effectiveRole(role), 'connection:manage')) return `${words}.`
  return (
    <a className="link" href={metaPages[step]} target="_blank" rel="noopener noreferrer">
      {words}
    </a>
  )
}

/** The step as a button or a link; in words where only the person can do it, outside of this chat. */
const Helps = ({ step, t, onStep }: Pick<NextStepProps, 't' | 'onStep'> & { readonly step: FailureStep }) => {
  if (step === 'reconnect') return <ConnectionLink />
  if (step === 'pay' || step === 'atMeta') return <AtMeta step={step} t={t} />
  const words = t(`failureNext.${step}`)
  const opens = step in chatSteps ? chatSteps[step as keyof typeof chatSteps] : undefined
  if (opens === undefined || !onStep) return `${words}.`
  return (
    <button type="button" className="link" onClick={() => onStep(opens)}>
      {words}
    </button>
  )
}

/** The next step after a message failed. Retry is offered only where it can help. */
export const NextStep = ({ next: { step, until }, t, onStep, retry }: NextStepProps) => {
  if (step === 'retry' || step === 'sendAnyway') return retry
  if (until !== undefined) return <Later until={until} retry={retry} t={t} />
  return (
    <>
      <Helps step={step} t={t} onStep={onStep} /> {canRetryAfter(step) ? retry : null}
    </>
  )
}
