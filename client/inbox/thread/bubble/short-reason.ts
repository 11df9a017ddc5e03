import type { InboxT } from '#client/inbox/words.ts'
import { failureReason, failureStep } from '#shared/inbox/failures.ts'

/** That it was not sent, why, and the next step, short enough for a row. The chat shows the long text. */
export const shortReason = (code: string | undefined, t: InboxT): string =>
  t('row.failed', { reason: t(`row.why.${failureReason(code)}`), next: t(`failureNext.${failureStep(code)}`) })
