import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { isLanguage } from '#shared/kernel/language.ts'
import { shortTime } from '#shared/kernel/time.ts'
import {
  type DeliveryState,
  type OutgoingWebhook,
  type WebhookDelivery,
  webhookLimits,
} from '#shared/outgoing-webhooks/api.ts'
import { useFacts } from '../app/facts.ts'
import { useApi, useFailureText } from '../app/use-api.ts'
import { useOrg } from '../shell/viewer.ts'
import { wordOf } from './draft.ts'
import { deliveriesQuery } from './queries.ts'
import { stateChip } from './state-chip.ts'

/** How often waiting deliveries are reloaded. */
const lookEveryMs = 2000

/** A long body is cut off, so that it is no JSON any more. */
const shownBody = (body: string): string => {
  try {
    return JSON.stringify(JSON.parse(body), null, 2)
  } catch {
    return body
  }
}

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
          <b>{t(`hooks.event.${wordOf(type)}`, type)}</b>
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
            <pre>{shownBody(body)}</pre>
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
  const stateId = useId()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const [state, setState] = useState<DeliveryState>()
  const { queryKey } = deliveriesQuery(slug, name)
  const { data, error, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [...queryKey, 'pages', state],
    queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
      api.outgoingWebhooks.listDeliveries({
        params: { name },
        query: { ...(pageParam === undefined ? {} : { before: pageParam }), ...(state ? { state } : {}) },
      }),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: last => last.next ?? undefined,
    refetchInterval: query =>
      query.state.data?.pages.some(({ items }) => items.some(one => one.state === 'waiting')) ? lookEveryMs : false,
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
  const resendFailed = () =>
    attempt(async () => {
      const body = { since: webhook.createdAt }
      const { count } = await api.outgoingWebhooks.redeliverMany({ params: { name }, body })
      toast(t('hooks.resending', { count }), { kind: 'success' })
    })
  const test = () => attempt(() => api.outgoingWebhooks.testWebhook({ params: { name } }))
  return (
    <Modal title={t('hooks.deliveriesOf', { name })} width={640} onClose={onClose}>
      <div className="stack">
        <p className="field-hint">{t('hooks.deliveriesText', { days: webhookLimits.days })}</p>
        <div className="line wrap webhook-log-head">
          <div className="field grow">
            <label htmlFor={stateId}>{t('hooks.show')}</label>
            <select
              id={stateId}
              value={state ?? ''}
              onChange={({ target }) => setState((target.value || undefined) as DeliveryState | undefined)}
            >
              <option value="">{t('hooks.showAll')}</option>
              {(['failed', 'waiting', 'delivered'] as const).map(one => (
                <option key={one} value={one}>
                  {t(`hooks.state.${one}`)}
                </option>
              ))}
            </select>
          </div>
          {active && state === 'failed' && deliveries?.length ? (
            <button
              type="button"
              className="button"
              aria-disabled={isWorking}
              onClick={() => isWorking || resendFailed()}
            >
              {t('hooks.resendFailed')}
            </button>
          ) : null}
        </div>
        {failure || error ? <Fault>{failure ?? failureText(error)}</Fault> : null}
        {deliveries?.length === 0 ? <p>{t(state ? 'hooks.noneOfState' : 'hooks.noDeliveries')}</p> : null}
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
