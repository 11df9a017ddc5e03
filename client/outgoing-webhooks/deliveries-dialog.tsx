import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { Log, LogBody, LogEntry } from '#client/integrations/card/log.tsx'
import { useRecent } from '#client/integrations/card/recent.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import {
  type DeliveryState,
  type OutgoingWebhook,
  type WebhookDelivery,
  webhookLimits,
} from '#shared/outgoing-webhooks/api.ts'
import { eventWord } from './draft.ts'
import { deliveriesQuery } from './queries.ts'

/** Waiting deliveries are reloaded this often. */
const lookEveryMs = 2000

const tones = { waiting: 'quiet', delivered: 'good', failed: 'bad' } as const

interface DeliveryRowProps {
  readonly delivery: WebhookDelivery
  /** Absent: nothing can be sent. */
  readonly onAgain: (() => void) | undefined
}

function DeliveryRow({ delivery, onAgain }: DeliveryRowProps) {
  const { t } = useTranslation('integrations')
  const { type, state, attempts, createdAt, attemptedAt, nextAt, status, failure, tookMs, body, answer, id } = delivery
  const at = useRecent()
  return (
    <LogEntry
      state={{ tone: tones[state], says: t(`hooks.state.${state}`) }}
      says={t(`hooks.event.${eventWord(type)}`, type)}
      at={createdAt}
      shownAt={at(createdAt)}
      again={
        onAgain ? (
          <button type="button" className="button" onClick={onAgain}>
            {t('hooks.again')}
          </button>
        ) : null
      }
    >
      <dl className="log-facts">
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
          <LogBody body={body} />
        </dd>
        {answer ? (
          <>
            <dt>{t('hooks.answer')}</dt>
            <dd>
              <LogBody body={answer} />
            </dd>
          </>
        ) : null}
      </dl>
    </LogEntry>
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
  const list = useInfiniteQuery({
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
  const deliveries = list.data?.pages.flatMap(({ items }) => items)
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
        <Log
          name={t('hooks.deliveries')}
          count={deliveries?.length}
          empty={t(state ? 'hooks.noneOfState' : 'hooks.noDeliveries')}
          list={list}
          failure={failure}
        >
          {deliveries?.map(delivery => (
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
        </Log>
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
