import { useQueryClient } from '@tanstack/react-query'
import { useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import type { LoaderFunctionArgs } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { queryFor, start } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { useIsAlive } from '#client/ui/page/is-alive.ts'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { longDate } from '#shared/kernel/time.ts'
import { RatesForm } from './create/plan/rates-editor.tsx'
import { rateCardQuery } from './queries.ts'

const pastCardsQuery = (org: string) => queryFor(org, 'bulkSends.listPastRateCards', {})

export const loader = (args: LoaderFunctionArgs) =>
  start(args, rateCardQuery(args.params.org ?? ''), pastCardsQuery(args.params.org ?? ''))

/** Earlier price lists. The statistics estimate the cost of earlier days with them. */
function PastCards() {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const { language } = useFacts()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [isWorking, run] = useTransition()
  const { items } = useAnswer(pastCardsQuery(slug))
  if (!items.length) return null
  const remove = (validFrom: string) =>
    run(async () => {
      try {
        await api.bulkSends.deletePastRateCard({ params: { validFrom } })
        await client.invalidateQueries({ queryKey: pastCardsQuery(slug).queryKey })
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
    })
  return (
    <section className="card" aria-labelledby="past-prices">
      <h2 id="past-prices">{t('rates.past')}</h2>
      <p>{t('rates.pastWhy')}</p>
      <ul>
        {items.map(({ validFrom, currency, rates }) => (
          <li key={validFrom} className="line wrap">
            <span className="grow">
              {t('rates.pastOf', {
                day: longDate(`${validFrom}T12:00:00Z`, language, 'UTC'),
                currency,
                count: rates.length,
              })}
            </span>
            <button
              type="button"
              className="button"
              aria-disabled={isWorking}
              aria-label={t('rates.forgetOf', { day: longDate(`${validFrom}T12:00:00Z`, language, 'UTC') })}
              onClick={() => isWorking || remove(validFrom)}
            >
              {t('rates.forget')}
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** `/org/{slug}/settings/prices`: what Meta charges for messages. */
export default function PricesPage() {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const client = useQueryClient()
  // The server and the browser may spell names of countries differently.
  const isAlive = useIsAlive()
  return (
    <>
      <title>{`${t('rates.title')} · ${PRODUCT_NAME}`}</title>
      <section className="card" aria-labelledby="prices">
        <h2 id="prices">{t('rates.title')}</h2>
        {isAlive ? (
          <RatesForm
            onSaved={() => {
              toast(t('rates.saved'))
              void client.invalidateQueries({ queryKey: pastCardsQuery(slug).queryKey })
            }}
          />
        ) : (
          <div className="skeleton bulk-skeleton" aria-hidden="true" />
        )}
      </section>
      <PastCards />
    </>
  )
}
