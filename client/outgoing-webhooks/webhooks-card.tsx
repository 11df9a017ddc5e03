import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { IntegrationCard, StateChip } from '#client/integrations/card/integration-card.tsx'
import { useRecent } from '#client/integrations/card/recent.ts'
import { Rows } from '#client/integrations/card/rows.tsx'
import { useWebhookState, useWebhooksState } from '#client/integrations/card/states.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { type OutgoingWebhook, webhookLimits } from '#shared/outgoing-webhooks/api.ts'
import { webhookNamesQuery, webhooksQuery } from './queries.ts'
import './webhooks.css'

const WebhookDialog = lazyDialog(() => import('./webhook-dialog.tsx'))
const SecretDialog = lazyDialog(() => import('./secret-dialog.tsx'))
const DeleteDialog = lazyDialog(() => import('./delete-dialog.tsx'))
const DeliveriesDialog = lazyDialog(() => import('./deliveries-dialog.tsx'))

type Open = 'change' | 'secret' | 'deliveries' | 'delete'

interface RowProps {
  readonly webhook: OutgoingWebhook
  onOpen(open: Open): void
  onSwitch(): void
}

function WebhookRow({ webhook, onOpen, onSwitch }: RowProps) {
  const { t } = useTranslation('integrations')
  const recent = useRecent()
  const state = useWebhookState()(webhook)
  const { name, url, active, stoppedFor, last } = webhook
  return (
    <li>
      <button
        type="button"
        className="integration-name"
        aria-label={t('hooks.deliveriesOf', { name })}
        dir="auto"
        onClick={() => onOpen('deliveries')}
      >
        {name}
      </button>
      <StateChip state={state} />
      <small className="cut" dir="ltr">
        {url}
      </small>
      <small>
        {stoppedFor
          ? t(`hooks.stoppedFor.${stoppedFor}`)
          : last
            ? t(`hooks.last.${last.failure && last.state === 'waiting' ? 'retrying' : last.state}`, {
                at: recent(last.at),
              })
            : t('hooks.never')}
        {!stoppedFor && last?.failure
          ? ` · ${last.failure === 'status' ? `HTTP ${last.status}` : t(`hooks.failure.${last.failure}`)}`
          : ''}
      </small>
      <RowMenu
        label={t('hooks.actionsOf', { name })}
        items={() => (
          <>
            <MenuItem onClick={() => onOpen('deliveries')}>{t('hooks.deliveries')}</MenuItem>
            <MenuItem onClick={() => onOpen('change')}>{t('hooks.change')}</MenuItem>
            <MenuItem onClick={() => onOpen('secret')}>{t('hooks.replace')}</MenuItem>
            <MenuItem onClick={onSwitch}>{t(active ? 'hooks.switchOff' : 'hooks.switchOn')}</MenuItem>
            <MenuItem danger onClick={() => onOpen('delete')}>
              {t('hooks.delete')}
            </MenuItem>
          </>
        )}
      />
    </li>
  )
}

/** Outgoing webhooks, on the page of connections. */
export default function WebhooksCard() {
  const { t } = useTranslation('integrations')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { data, error } = useQuery(webhooksQuery(slug))
  const items = data?.items
  const state = useWebhooksState()
  const [isAdding, setAdding] = useState(false)
  const [opened, setOpened] = useState<{ webhook: OutgoingWebhook; open: Open }>()
  const refresh = () =>
    Promise.all(
      [webhooksQuery(slug), webhookNamesQuery(slug)].map(({ queryKey }) => client.invalidateQueries({ queryKey })),
    )
  const close = () => {
    setAdding(false)
    setOpened(undefined)
    refresh().catch(() => undefined)
  }
  const turn = async ({ name, active }: OutgoingWebhook) => {
    try {
      await api.outgoingWebhooks.changeWebhook({ params: { name }, body: { active: !active } })
      await refresh()
    } catch (refusal) {
      toast(failureText(refusal), { kind: 'error' })
    }
  }
  return (
    <>
      <IntegrationCard
        id="outgoing-webhooks"
        icon="send"
        title={t('hooks.title')}
        says={t('hooks.text')}
        state={state}
        foot={
          items && items.length < webhookLimits.webhooks ? (
            <button type="button" className="button" onClick={() => setAdding(true)}>
              {t('hooks.add')}
            </button>
          ) : null
        }
      >
        {error ? <Fault>{failureText(error)}</Fault> : null}
        {items?.length === 0 ? <p className="integration-none">{t('hooks.none')}</p> : null}
        <Rows items={items ?? []}>
          {webhook => (
            <WebhookRow
              key={webhook.name}
              webhook={webhook}
              onOpen={open => setOpened({ webhook, open })}
              onSwitch={() => turn(webhook)}
            />
          )}
        </Rows>
      </IntegrationCard>
      {isAdding ? <WebhookDialog webhook={undefined} onSaved={refresh} onClose={close} /> : null}
      {opened?.open === 'change' ? <WebhookDialog webhook={opened.webhook} onSaved={refresh} onClose={close} /> : null}
      {opened?.open === 'secret' ? (
        <SecretDialog name={opened.webhook.name} onChanged={refresh} onClose={close} />
      ) : null}
      {opened?.open === 'deliveries' ? <DeliveriesDialog webhook={opened.webhook} onClose={close} /> : null}
      {opened?.open === 'delete' ? <DeleteDialog name={opened.webhook.name} onClose={close} /> : null}
    </>
  )
}
