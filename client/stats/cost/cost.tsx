import { useTranslation } from 'react-i18next'
import { Link, useSearchParams } from 'react-router'
import { useFacts } from '#client/app/facts.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { formatMoney } from '#client/ui/text/money.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { shortDate } from '#shared/kernel/time.ts'
import { anyFree, type CostBlock, type CostEstimate, freeReplies } from '#shared/stats/cost.ts'
import { BlockCard, BlockTable, CountCell } from '../blocks/block.tsx'
import { Counting } from '../blocks/counting.tsx'
import { costBlockQuery, rangeIn } from '../blocks/queries.ts'
import { countryName } from './country.ts'
import { DayBars } from './day-bars.tsx'
import { Meta } from './meta.tsx'

const columns = ['delivered', 'free', 'billed', 'cost'] as const

const useMoney = () => {
  const { i18n } = useTranslation('stats')
  /** Currencies stand side by side: they are never added up. */
  return ({ amounts }: Pick<CostEstimate, 'amounts'>): string =>
    amounts.map(({ amount, currency }) => formatMoney(amount, currency, i18n.language)).join(' + ')
}

function Cells({ estimate }: { readonly estimate: CostEstimate & { readonly href: string | null } }) {
  const { t } = useTranslation('stats')
  const { slug, role } = useOrg()
  const money = useMoney()
  const saysUnpriced = (count: number) => {
    const says = t('costs.unpricedOf', { count })
    return roleCan(effectiveRole(role), 'org:update') ? <Link to={paths.settingsOf(slug, 'prices')}>{says}</Link> : says
  }
  const { delivered, free, billed, unpriced, href } = estimate
  return (
    <>
      <CountCell label={t('blocks.column.delivered')} count={delivered} href={href} />
      <CountCell label={t('blocks.column.free')} count={free} href={href && `${href}&charge=${anyFree}`} />
      <CountCell label={t('blocks.column.billed')} count={billed} href={href && `${href}&charge=regular`} />
      <td data-label={t('blocks.column.cost')}>
        {money(estimate) || (unpriced ? '—' : '0')}
        {unpriced ? <span className="field-hint">{saysUnpriced(unpriced)}</span> : null}
      </td>
    </>
  )
}

const dayAt = (day: string) => `${day}T12:00:00.000Z`

function FreeReplies({ replies }: { readonly replies: CostBlock['freeReplies'] }) {
  const { t, i18n } = useTranslation('stats')
  const number = new Intl.NumberFormat(i18n.language)
  return replies.map(({ number: phone, used }) => (
    <p key={phone} className={used >= 0.8 * freeReplies ? 'notice notice-warn' : 'field-hint'}>
      {t(used >= freeReplies ? 'blocks.cost.repliesOver' : 'blocks.cost.replies', {
        number: phone,
        used: number.format(used),
        free: number.format(freeReplies),
      })}
    </p>
  ))
}

/** The estimated cost of the messages of the range. */
export function Cost() {
  const { t } = useTranslation('stats')
  const { slug, role } = useOrg()
  const { language } = useFacts()
  const [query] = useSearchParams()
  const money = useMoney()
  const cost = useAnswer(costBlockQuery(slug, rangeIn(query)))
  const { total, byCategory, bySource, byCountry, byDay, cards, knownSince, unknownNumber } = cost
  const labels = columns.map(name => t(`blocks.column.${name}`))
  const main = total.amounts[0]?.currency
  const says = () => {
    if (unknownNumber) return t('blocks.cost.unknownNumber')
    if (!total.delivered) return t('blocks.cost.none')
    if (!cards.length) return t('blocks.cost.noPrices', { count: total.billed })
    return t('blocks.cost.total', {
      amount: money(total) || '0',
      day: shortDate(dayAt(cards.at(-1)?.validFrom ?? ''), language, 'UTC'),
    })
  }
  const ofMain = ({ amounts }: CostEstimate) => amounts.find(({ currency }) => currency === main)?.amount ?? 0
  return (
    <BlockCard
      name="cost"
      says={says()}
      isEmpty={!total.delivered}
      more={
        roleCan(effectiveRole(role), 'org:update') ? (
          <Link className="button" to={paths.settingsOf(slug, 'prices')}>
            {t(cards.length ? 'blocks.cost.edit' : 'blocks.cost.add')}
          </Link>
        ) : null
      }
    >
      <Counting counting={cost.counting} />
      <FreeReplies replies={cost.freeReplies} />
      {total.delivered ? (
        <>
          <BlockTable name="cost" of={t('blocks.column.category')} columns={labels}>
            <tbody>
              {byCategory.map(({ category, ...estimate }) => (
                <tr key={category}>
                  <th scope="row">{t(`blocks.category.${category}`)}</th>
                  <Cells estimate={estimate} />
                </tr>
              ))}
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">{t('blocks.cost.estimated')}</th>
                <Cells estimate={total} />
              </tr>
            </tfoot>
          </BlockTable>
          {main && byDay.length > 1 ? (
            <figure className="stats-figure-days">
              <figcaption className="field-hint">{t('blocks.cost.byDay', { currency: main })}</figcaption>
              <DayBars
                bars={byDay.map(({ day, ...estimate }) => ({
                  day,
                  href: estimate.href,
                  value: ofMain(estimate),
                  says: `${shortDate(dayAt(day), language, 'UTC')}: ${money(estimate) || '0'}`,
                }))}
              />
            </figure>
          ) : null}
          <details className="stats-more">
            <summary>{t('blocks.cost.more')}</summary>
            <BlockTable name="cost" of={t('blocks.column.country')} columns={labels}>
              <tbody>
                {byCountry.map(({ country, ...estimate }) => (
                  <tr key={country}>
                    {/* The server and the browser may spell a name differently. */}
                    <th scope="row" suppressHydrationWarning>
                      {countryName(country, language, t('blocks.cost.unknownCountry'))}
                    </th>
                    <Cells estimate={estimate} />
                  </tr>
                ))}
              </tbody>
            </BlockTable>
            <BlockTable name="cost" of={t('blocks.column.source')} columns={labels}>
              <tbody>
                {bySource.map(({ source, ...estimate }) => (
                  <tr key={source}>
                    <th scope="row">{t(`blocks.source.${source}`)}</th>
                    <Cells estimate={estimate} />
                  </tr>
                ))}
              </tbody>
            </BlockTable>
            <BlockTable name="cost" of={t('blocks.column.day')} columns={labels}>
              <tbody>
                {byDay.map(({ day, ...estimate }) => (
                  <tr key={day}>
                    <th scope="row">{shortDate(dayAt(day), language, 'UTC')}</th>
                    <Cells estimate={estimate} />
                  </tr>
                ))}
              </tbody>
            </BlockTable>
          </details>
        </>
      ) : null}
      {cost.meta ? <Meta meta={cost.meta} /> : null}
      {knownSince ? (
        <p className="field-hint">
          {t('blocks.cost.knownSince', { day: shortDate(dayAt(knownSince), language, 'UTC') })}
        </p>
      ) : null}
    </BlockCard>
  )
}
