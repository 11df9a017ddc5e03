import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { ExportButton } from '#client/ui/controls/export-button.tsx'
import { MoreButton } from '#client/ui/controls/more-button.tsx'
import { Empty } from '#client/ui/feedback/empty.tsx'
import { formatMoney } from '#client/ui/text/money.ts'
import { shortTime } from '#shared/kernel/time.ts'
import type { SendCost } from '#shared/stats/api.ts'
import { costsQuery } from './queries.ts'

function Row({ send: { template, at, people, delivered, cost } }: { readonly send: SendCost }) {
  const { t } = useTranslation('stats')
  const { language, timeZone } = useFacts()
  const number = new Intl.NumberFormat(language)
  return (
    <tr>
      <td>
        <time dateTime={at}>{shortTime(at, language, timeZone)}</time>
      </td>
      <td>{template}</td>
      <td data-label={t('costs.people')}>{number.format(people)}</td>
      <td data-label={t('costs.delivered')}>{number.format(delivered)}</td>
      <td data-label={t('costs.cost')}>
        {cost ? formatMoney(cost.amount, cost.currency, language) : t('costs.noPrice')}
        {cost?.unpriced ? <span className="field-hint">{t('costs.unpricedOf', { count: cost.unpriced })}</span> : null}
      </td>
    </tr>
  )
}

/** The estimated cost of each bulk send, newest first. */
export default function Costs() {
  const { t } = useTranslation('stats')
  const api = useApi()
  const { slug } = useOrg()
  const list = useSuspensePages(costsQuery(slug))
  const sends = list.data.pages.flatMap(page => page.items)
  if (!sends.length) return <Empty icon="chart" says={t('costs.none')} />
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="table-scroll costs" tabIndex={0} aria-label={t('tableOf', { name: t('costs.title') })}>
        <table className="table">
          <thead>
            <tr>
              {(['at', 'template', 'people', 'delivered', 'cost'] as const).map(name => (
                <th scope="col" key={name}>
                  {t(`costs.${name}`)}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {sends.map(send => (
              <Row key={send.id} send={send} />
            ))}
          </tbody>
        </table>
      </section>
      <MoreButton list={list} more={t('costs.more')} failed={t('costs.moreFailed')} />
      <div className="card-buttons">
        <ExportButton
          name={`${slug}-costs`}
          says={t('costs.export')}
          saysBusy={t('costs.exporting')}
          ask={before => api.stats.exportCosts({ query: before ? { before } : {} })}
        />
      </div>
    </>
  )
}
