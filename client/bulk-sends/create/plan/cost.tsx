import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useOrg } from '#client/shell/viewer.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { formatMoney } from '#client/ui/text/money.ts'
import type { BulkPlan } from '#shared/bulk-sends/plan.ts'
import { isLanguage } from '#shared/kernel/language.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { longDate } from '#shared/kernel/time.ts'

const RatesDialog = lazyDialog(() => import('./rates-dialog.tsx'))

interface CostProps {
  readonly cost: BulkPlan['cost']
  /** Prices changed, so the plan must be made again. */
  onPricesChanged(): void
}

/** The estimated cost of a plan, and a link to the prices. */
export function Cost({ cost, onPricesChanged }: CostProps) {
  const { t, i18n } = useTranslation('bulk-sends')
  const { role } = useOrg()
  const [isOpen, setIsOpen] = useState(false)
  const language = isLanguage(i18n.language) ? i18n.language : 'es'
  return (
    <>
      <p>
        {cost ? (
          <>
            {t('cost.says', { amount: formatMoney(cost.amount, cost.currency, language) })}{' '}
            <small>{t('cost.from', { date: longDate(`${cost.validFrom}T12:00:00Z`, language, 'UTC') })}</small>
            {cost.unpriced ? ` ${t('cost.unpriced', { count: cost.unpriced })}` : null}
          </>
        ) : (
          t('cost.none')
        )}
      </p>
      {roleCan(effectiveRole(role), 'org:update') ? (
        <div className="card-buttons">
          <button type="button" className="button" onClick={() => setIsOpen(true)}>
            {t(cost ? 'cost.edit' : 'cost.add')}
          </button>
        </div>
      ) : null}
      {isOpen ? <RatesDialog onClose={() => setIsOpen(false)} onSaved={onPricesChanged} /> : null}
    </>
  )
}
