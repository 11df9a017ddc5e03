import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { type LoaderFunctionArgs, useSearchParams } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { settle } from '#client/app/queries/queries.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { PRODUCT_NAME } from '#shared/kernel/product.ts'
import { subscriptionQuery } from './queries.ts'

/** Longer ones are none of ours, and the call would refuse them. */
const tokenMaxLength = 1_000
const tokenIn = (query: URLSearchParams): string => query.get('token')?.slice(0, tokenMaxLength) || 'none'

export const loader = async (args: LoaderFunctionArgs) => {
  await settle(args, subscriptionQuery(tokenIn(new URL(args.request.url).searchParams)))
  return null
}

/** `/unsubscribe/statistics`: asks first, because programs that check mails open every link in them. */
export default function UnsubscribePage() {
  const { t } = useTranslation('stats')
  const [query] = useSearchParams()
  const token = tokenIn(query)
  const api = useApi()
  const failureText = useFailureText()
  const { organization: org, isSubscribed } = useAnswer(subscriptionQuery(token))
  const [isDone, setDone] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isBusy, run] = useTransition()
  const confirm = () =>
    run(async () => {
      setFailure(undefined)
      try {
        await api.statsReport.unsubscribe({ body: { token } })
        setDone(true)
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const asks = org !== null && isSubscribed && !isDone
  return (
    <main className="plain-page">
      <title>{`${t('report.page.title')} · ${PRODUCT_NAME}`}</title>
      <h1>{t('report.page.title')}</h1>
      <p role="status">
        {org === null
          ? t('report.page.invalid')
          : t(isDone ? 'report.page.done' : isSubscribed ? 'report.page.ask' : 'report.page.already', { org })}
      </p>
      {org !== null && !asks ? <p>{t('report.page.back')}</p> : null}
      {failure ? <Fault>{failure}</Fault> : null}
      {asks ? (
        <button
          type="button"
          className="button button-primary"
          aria-disabled={isBusy}
          onClick={() => isBusy || confirm()}
        >
          {t(isBusy ? 'report.page.busy' : 'report.page.confirm')}
        </button>
      ) : null}
    </main>
  )
}
