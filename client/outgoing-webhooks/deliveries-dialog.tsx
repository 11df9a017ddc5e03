import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { isLanguage } from '#shared/kernel/language.ts'
import { shortTime } from '#shared/kernel/time.ts'
import {
  type OutgoingWebhook,
  testDelivery,
  type WebhookDelivery,
  webhookLimits,
} from '#shared/outgoing-webhooks/api.ts'
import { useFacts } from '../app/facts.ts'
import { useApi, useFailureText } from '../app/use-api.ts'
import { useOrg } from '../shell/viewer.ts'
import { deliveriesQuery } from './queries.ts'
import { stateChip } from './state-chip.ts'

/** How often waiting deliveries are reloaded. */
const lookEveryMs = 2000

interface DeliveryRowProps {
  readonly delivery: WebhookDelivery
  /** Absent: nothing can be sent. */
  readonly onAgain: (() => void) | undefined
}

function DeliveryRow({ delivery, onAgain }: DeliveryRowProps) {
  const { t, i18n } = useTranslation('integrations')
  const { timeZone } = useFacts()
  const { type, state, attempts, createdAt, attemptedAt, nextAt, status, failure, tookMs, body, answer, id } = delivery
  const at = (iso: string) => shortTime(iso, isLanguage(i18n.language) ? i18n.language : 'es', timeZone)
  return (
    <li>
      <details>
        <summary>
          <span className={stateChip(state)}>{t(`hooks.state.${state}`)}</span>
          <b>{t(type === testDelivery ? 'hooks.isTest' : 'hooks.isTap')}</b>
          <time dateTime={createdAt}>{at(createdAt)}</time>
        </summary>
        <dl className="webhook-facts">
          <dt>{t('hooks.attempts')}</dt>
          <dd>
            {attempts}
            {attemptedAt ? ` · ${t('hooks.lastAt', { at: at(attemptedAt) })}` : ''}
            {nextAt ? ` · ${t('hooks.nextAt', { at: at(nextAt) })}` : ''}
          </dd>
          {attemptedAt ? (
            <>
              <dt>{t('hooks.outcome')}</dt>
              <dd>
                {status === null ? t(`hooks.failure.${failure ?? 'network'}`) : `HTTP ${status}`}
                {tookMs === null ? '' : ` · ${t('hooks.took', { ms: tookMs })}`}
              </dd>
            </>
          ) : null}
          <dt>webhook-id</dt>
          <dd>
            <code>{id}</code>
          </dd>
          <dt>{t('hooks.body')}</dt>
          <dd>
            <pre>{JSON.stringify(JSON.parse(body), null, 2)}</pre>
          </dd>
          {answer ? (
            <>
              <dt>{t('hooks.answer')}</dt>
              <dd>
                <pre>{answer}</pre>
              </dd>
            </>
          ) : null}
        </dl>
        {onAgain ? (
          <button type="button" className="button" onClick={onAgain}>
            {t('hooks.again')}
          </button>
        ) : null}
      </details>
    </li>
  )
}

interface DeliveriesDialogProps {
  readonly webhook: OutgoingWebhook
  onClose(): void
}

/** A webhook's deliveries, newest first, with their results. */
export default function DeliveriesDialog({ webhook, onClose }: DeliveriesDialogProps) {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const { name, active } = webhook
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const { queryKey } = deliveriesQuery(slug, name)
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...queryKey, 'pages'],
    queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
      api.outgoingWebhooks.listDeliveries({
        params: { name },
        query: pageParam === undefined ? {} : { before: pageParam },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: last => last.next ?? undefined,
    refetchInterval: ({ state }) =>
      state.data?.pages.some(({ items }) => items.some(one => one.state === 'waiting')) ? lookEveryMs : false,
  })
  const deliveries = data?.pages.flatMap(({ items }) => items)
  const attempt = (send: () => Promise<unknown>) =>
    work(async () => {
      setFailure(undefined)
      try {
        await send()
        await client.invalidateQueries({ queryKey })
      } catch (refusal) {
        setFailure(failureText(refusal))
      }
    })
  const test = () => attempt(() => api.outgoingWebhooks.testWebhook({ params: { name } }))
  return (
    <Modal title={t('hooks.deliveriesOf', { name })} width={640} onClose={onClose}>
      <div className="stack">
        <p className="field-hint">{t('hooks.deliveriesText', { days: webhookLimits.days })}</p>
        {failure || error ? <Fault>{failure ?? failureText(error)}</Fault> : null}
        {deliveries?.length === 0 ? <p>{t('hooks.noDeliveries')}</p> : null}
        {deliveries ? null : error ? null : <span className="skeleton webhook-skeleton" />}
        {deliveries?.length ? (
          <ul className="webhook-deliveries" aria-label={t('hooks.deliveries')}>
            {deliveries.map(delivery => (
              <DeliveryRow
                key={delivery.id}
                delivery={delivery}
                onAgain={
                  active && delivery.state !== 'waiting'
                    ? () => attempt(() => api.outgoingWebhooks.redeliver({ params: { name, id: delivery.id } }))
                    : undefined
                }
              />
            ))}
          </ul>
        ) : null}
        {hasNextPage ? (
          <button
            type="button"
            className="button"
            aria-disabled={isFetchingNextPage}
            onClick={() => isFetchingNextPage || fetchNextPage()}
          >
            {t('hooks.more')}
          </button>
        ) : null}
      </div>
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {t('hooks.close')}
        </button>
        {active ? (
          <button
            type="button"
            className="button button-primary"
            aria-disabled={isWorking}
            onClick={() => isWorking || test()}
          >
            {t('hooks.test')}
          </button>
        ) : null}
      </div>
    </Modal>
  )
}
