import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#client/app/queries/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { formatMoney } from '#client/ui/text/money.ts'
import type { RatedCategory } from '#shared/bulk-sends/rates.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'

/**
 * Estimates what one template message to a number costs, by the prices that the organization entered.
 * @param phone digits; undefined: nothing is asked
 * @returns for a category the amount in words; undefined: no price is known
 */
export const useTemplatePrice = (phone: string | undefined): ((category: string) => string | undefined) => {
  const { i18n } = useTranslation()
  const { slug, role } = useOrg()
  const mayAsk = phone !== undefined && roleCan(effectiveRole(role), 'bulk:send')
  const { data: card } = useQuery({ ...queryFor(slug, 'bulkSends.getRateCard', {}), enabled: mayAsk })
  const hasPrices = card !== undefined && card.rates.length > 0
  const [found, setFound] = useState<{ readonly phone: string; readonly country: string | undefined }>()
  useEffect(() => {
    if (!hasPrices || phone === undefined) return
    let isGone = false
    // Its tables are large, and most organizations have entered no prices.
    void import('#shared/kernel/phone-reader.ts').then(
      ({ countryOfNumber }) => isGone || setFound({ phone, country: countryOfNumber(phone) }),
      // Without the country there is no price to show.
      () => undefined,
    )
    return () => {
      isGone = true
    }
  }, [hasPrices, phone])
  return category => {
    if (!card || found?.phone !== phone) return undefined
    const priceIn = (country: string | undefined) =>
      card.rates.find(rate => rate.country === country)?.prices[category as RatedCategory]
    const price = priceIn(found?.country) ?? priceIn('*')
    return price === undefined ? undefined : formatMoney(price, card.currency, i18n.language)
  }
}
