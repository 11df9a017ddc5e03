import { useTranslation } from 'react-i18next'
import { formatMoney } from '#client/ui/text/money.ts'
import type { BulkCost } from '#shared/bulk-sends/plan.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { longDate } from '#shared/kernel/time.ts'

/** The cost estimated when the recipients were written. Nothing if unknown. */
export function CostFact({ cost }: { cost: BulkCost | null }) {
  const { t, i18n } = useTranslation('bulk-sends')
  const language = isLanguage(i18n.language) ? i18n.language : 'es'
  if (!cost) return null
  return (
    <>
      <dt>{t('cost.title')}</dt>
      <dd>
        {formatMoney(cost.amount, cost.currency, language)}{' '}
        <small>
          {t('cost.from', { date: longDate(`${cost.validFrom}T12:00:00Z`, language, 'UTC') })}
          {cost.unpriced ? ` ${t('cost.unpriced', { count: cost.unpriced })}` : null}
        </small>
      </dd>
    </>
  )
}
