import type { InboxT } from '#client/inbox/words.ts'
import { failureReason, failureStep } from '#shared/inbox/failures.ts'

/** Says in a row of the list that a message was not sent, why, and what to do next. The chat shows the longer text. */
export const shortReason = (code: string | undefined, t: InboxT): string =>
  t('row.failed', { reason: t(`row.why.${failureReason(code)}`), next: t(`failureNext.${failureStep(code)}`) })
