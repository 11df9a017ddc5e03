import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { formatMoney } from '#client/ui/text/money.ts'
import { shortDate } from '#shared/kernel/time.ts'
import type { MetaCost } from '#shared/stats/cost.ts'

/** Meta's counts beside our estimate, and why they differ. */
export function Meta({ meta }: { readonly meta: MetaCost }) {
  const { t } = useTranslation('stats')
  const { language } = useFacts()
  const { from, to, currency, billed, free, cost, ours, differences, hasFailed } = meta
  const number = new Intl.NumberFormat(language)
  const day = (date: string) => shortDate(`${date}T12:00:00.000Z`, language, 'UTC')
  const money = (amount: number) => (currency ? formatMoney(amount, currency, language) : number.format(amount))
  return (
    <section className="stats-meta" aria-labelledby="meta-cost">
      <h3 id="meta-cost">{t('blocks.cost.meta.title')}</h3>
      <p>
        {t('blocks.cost.meta.says', {
          from: day(from),
          to: day(to),
          volume: number.format(billed),
          free: number.format(free),
          cost: money(cost),
          ours: ours === null ? '—' : money(ours),
        })}{' '}
        {ours === null && currency ? t('blocks.cost.meta.otherCurrency', { currency }) : null}
        {ours !== null && !differences.length ? t('blocks.cost.meta.same') : null}{' '}
        {hasFailed ? t('blocks.cost.meta.failed') : null}
      </p>
      {differences.length ? (
        <table className="table stats-groups">
          <thead>
            <tr>
              <th scope="col">{t('blocks.cost.meta.cause')}</th>
              <th scope="col">{t('blocks.cost.meta.difference')}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ cause, amount }) => (
              <tr key={cause}>
                <th scope="row">{t(`blocks.cost.meta.causes.${cause}`)}</th>
                <td data-label={t('blocks.cost.meta.difference')}>{money(amount)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ) : null}
    </section>
  )
}
