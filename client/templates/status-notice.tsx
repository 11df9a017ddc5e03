import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { Template } from '#shared/templates/api.ts'
import { isApproved, isUnderReview, ratingOf, verdictOf } from '#shared/templates/words.ts'
import { isKnownReason, useReasonText } from './reasons.tsx'
import { isKnownStatus } from './words.tsx'

const tones: Readonly<Record<string, string>> = {
  REJECTED: 'notice notice-error',
  DISABLED: 'notice notice-error',
  LOCKED: 'notice notice-error',
  PAUSED: 'notice notice-warn',
  FLAGGED: 'notice notice-warn',
  LIMIT_EXCEEDED: 'notice notice-warn',
}

/** Explains a template's status: what it means for sending, why, and what to do. */
export function StatusNotice({ template }: { template: Template }) {
  const { t } = useTranslation('templates')
  const reasonText = useReasonText()
  const { status, rejectedReason, category, categoryAsked, quality } = template
  const verdict = verdictOf(status)
  const rating = ratingOf(quality)
  const why = reasonText(template)
  const remedy =
    verdict === 'rejected'
      ? rejectedReason && isKnownReason(rejectedReason)
        ? t(`remedy.${rejectedReason}`)
        : t('remedy.other')
      : verdict === 'paused'
        ? t('remedy.PAUSED')
        : undefined
  return (
    <>
      {isKnownStatus(status) && !isApproved(status) ? (
        <div className={tones[status] ?? 'notice template-notice'} role="status">
          <Icon name={isUnderReview(status) ? 'clock' : tones[status] ? 'warn' : 'info'} />
          <div>
            <p>
              <strong>
                {t(`says.${status}`)}
                {why ? ` ${why}.` : ''}
              </strong>
            </p>
            {remedy ? <p>{remedy}</p> : null}
          </div>
        </div>
      ) : null}
      {categoryAsked && categoryAsked !== category ? (
        <div className="notice notice-warn">
          <Icon name="info" />
          <p>
            {t('category.changed', {
              asked: t(`category.${categoryAsked}`),
              category: t(`category.${category}`),
            })}
          </p>
        </div>
      ) : null}
      {verdict === 'approved' && (rating === 'low' || rating === 'medium') ? (
        <div className="notice notice-warn">
          <Icon name="warn" />
          <p>{t(`quality.says.${rating}`)}</p>
        </div>
      ) : null}
    </>
  )
}
