import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import type { SendCost } from '#shared/stats.ts'
import { fullTime } from '#shared/time.ts'
import { useFacts } from '../facts.ts'
import { useOrg } from '../shell/viewer.ts'
import { Empty } from '../ui/empty.tsx'
import { Fault } from '../ui/field.tsx'
import { MoreButton } from '../ui/more-button.tsx'
import { downloadCsv } from '../ui/save-csv.ts'
import { useApi, useFailureText } from '../use-api.ts'
import { useSuspensePages } from '../use-paged-list.ts'
import { costsQuery } from './queries.ts'

/** Fetches all of it part by part, as one file. */
function ExportButton() {
  const { t } = useTranslation('stats')
  const api = useApi()
  const { slug } = useOrg()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isExporting, run] = useTransition()
  const exportAll = () =>
    run(async () => {
      setFailure(undefined)
      try {
        await downloadCsv<string>(`${slug}-costs`, before =>
          api.stats.exportCosts({ query: { ...(before ? { before } : {}) } }),
        )
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <div className="card-buttons">
      <button type="button" className="button" aria-disabled={isExporting} onClick={() => isExporting || exportAll()}>
        {t(isExporting ? 'costs.exporting' : 'costs.export')}
      </button>
      {failure ? <Fault>{failure}</Fault> : null}
    </div>
  )
}

function Row({ send: { template, at, people, delivered, cost } }: { readonly send: SendCost }) {
  const { t } = useTranslation('stats')
  const { language, timeZone } = useFacts()
  const number = new Intl.NumberFormat(language)
  const money = (amount: number, currency: string) =>
    new Intl.NumberFormat(language, { style: 'currency', currency, maximumFractionDigits: 4 }).format(amount)
  return (
    <tr>
      <td>
        <time dateTime={at}>{fullTime(at, language, timeZone)}</time>
      </td>
      <td>{template}</td>
      <td data-label={t('costs.people')}>{number.format(people)}</td>
      <td data-label={t('costs.delivered')}>{number.format(delivered)}</td>
      <td data-label={t('costs.cost')}>
        {cost ? money(cost.amount, cost.currency) : t('costs.noPrice')}
        {cost?.unpriced ? <span className="field-hint">{t('costs.unpricedOf', { count: cost.unpriced })}</span> : null}
      </td>
    </tr>
  )
}

/** What each bulk send was going to cost, newest first. */
export function Costs() {
  const { t } = useTranslation('stats')
  const { slug } = useOrg()
  const list = useSuspensePages(costsQuery(slug))
  const sends = list.data.pages.flatMap(page => page.items)
  if (!sends.length) return <Empty icon="chart" says={t('costs.none')} />
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by keyboard */}
      <section className="table-scroll costs" tabIndex={0} aria-labelledby="costs">
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
      <ExportButton />
    </>
  )
}
