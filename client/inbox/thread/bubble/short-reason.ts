import { failureReason, failureStep } from '#shared/inbox/failures.ts'
import type { InboxT } from '../../words.ts'

/**
 * Says in a row of the list that a message was not sent, why, and what to do next; or that it may have arrived. The chat
 * shows the longer text.
 */
export const shortReason = (code: string | undefined, t: InboxT): string => {
  const reason = failureReason(code)
  if (reason === 'unconfirmed') return t('row.unconfirmed')
  return t('row.failed', { reason: t(`row.why.${reason}`), next: t(`failureNext.${failureStep(code)}`) })
}
