import { useTranslation } from 'react-i18next'
import { formatMoney } from '#client/ui/text/money.ts'
import type { BilledCost, BulkSendReport } from '#shared/bulk-sends/sends.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { longDate } from '#shared/kernel/time.ts'

/** A price is known for some of the billed messages, or none was billed. */
const hasPrice = ({ amounts, billed }: BilledCost): boolean => amounts.length > 0 || billed === 0

/** Shows the cost of a send that has ended, or the estimate if it has not ended or no message was counted. Shows nothing if neither is known. */
export function CostFact({ send: { cost, billed } }: { readonly send: Pick<BulkSendReport, 'cost' | 'billed'> }) {
  const { t, i18n } = useTranslation('bulk-sends')
  const language = isLanguage(i18n.language) ? i18n.language : 'es'
  const money = (amount: number, currency: string) => formatMoney(amount, currency, language)
  if (billed && hasPrice(billed))
    return (
      <>
        <dt>{t('cost.billed')}</dt>
        <dd>
          {billed.amounts.map(({ amount, currency }) => money(amount, currency)).join(' + ') || t('cost.free')}{' '}
          <small>
            {[
              t('cost.delivered', { count: billed.delivered }),
              ...(billed.free && billed.billed ? [t('cost.freeOnes', { count: billed.free })] : []),
              ...(billed.unpriced ? [t('cost.unpriced', { count: billed.unpriced })] : []),
              ...(cost ? [t('cost.estimated', { amount: money(cost.amount, cost.currency) })] : []),
            ].join(' ')}
          </small>
        </dd>
      </>
    )
  if (!cost) return null
  return (
    <>
      <dt>{t('cost.title')}</dt>
      <dd>
        {money(cost.amount, cost.currency)}{' '}
        <small>
          {t('cost.from', { date: longDate(`${cost.validFrom}T12:00:00Z`, language, 'UTC') })}
          {cost.unpriced ? ` ${t('cost.unpriced', { count: cost.unpriced })}` : null}
        </small>
      </dd>
    </>
  )
}
