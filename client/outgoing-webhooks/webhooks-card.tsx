import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { isLanguage } from '#shared/kernel/language.ts'
import { shortTime } from '#shared/kernel/time.ts'
import { type OutgoingWebhook, webhookLimits } from '#shared/outgoing-webhooks/api.ts'
import { useFacts } from '../app/facts.ts'
import { useApi, useFailureText } from '../app/use-api.ts'
import { useOrg } from '../shell/viewer.ts'
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
  const { t, i18n } = useTranslation('integrations')
  const { timeZone } = useFacts()
  const { name, url, active, stoppedFor, last } = webhook
  const language = isLanguage(i18n.language) ? i18n.language : 'es'
  return (
    <li>
      <div className="webhook-names grow">
        <b dir="auto">{name}</b>
        <span className={active ? 'chip chip-green' : stoppedFor ? 'chip chip-red' : 'chip'}>
          {t(active ? 'hooks.on' : stoppedFor ? 'hooks.stopped' : 'hooks.off')}
        </span>
        <small className="webhook-url">{url}</small>
        <small>
          {stoppedFor
            ? t(`hooks.stoppedFor.${stoppedFor}`)
            : last
              ? t(`hooks.last.${last.state}`, { at: shortTime(last.at, language, timeZone) })
              : t('hooks.never')}
          {!stoppedFor && last?.failure
            ? ` · ${last.failure === 'status' ? `HTTP ${last.status}` : t(`hooks.failure.${last.failure}`)}`
            : ''}
        </small>
      </div>
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

/** How the webhooks do, in a word. Nothing while there are none. */
function CardState({ webhooks }: { readonly webhooks: readonly OutgoingWebhook[] }) {
  const { t } = useTranslation('integrations')
  const stopped = webhooks.filter(({ stoppedFor }) => stoppedFor).length
  if (stopped) return <span className="chip chip-red">{t('hooks.cardStopped', { count: stopped })}</span>
  const active = webhooks.filter(one => one.active)
  if (!active.length) return null
  return active.some(({ last }) => last?.failure) ? (
    <span className="chip chip-amber">{t('hooks.cardFailing')}</span>
  ) : (
    <span className="chip chip-green">{t('hooks.cardWorks')}</span>
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
    <section className="card" aria-labelledby="outgoing-webhooks">
      <div className="card-head">
        <Icon name="send" />
        <h2 id="outgoing-webhooks">{t('hooks.title')}</h2>
        <CardState webhooks={items ?? []} />
      </div>
      <p>{t('hooks.text')}</p>
      {error ? <Fault>{failureText(error)}</Fault> : null}
      {items?.length ? (
        <ul className="webhooks">
          {items.map(webhook => (
            <WebhookRow
              key={webhook.name}
              webhook={webhook}
              onOpen={open => setOpened({ webhook, open })}
              onSwitch={() => turn(webhook)}
            />
          ))}
        </ul>
      ) : null}
      {items && items.length < webhookLimits.webhooks ? (
        <div className="card-buttons">
          <button type="button" className="button" onClick={() => setAdding(true)}>
            {t('hooks.add')}
          </button>
        </div>
      ) : null}
      {isAdding ? <WebhookDialog webhook={undefined} onSaved={refresh} onClose={close} /> : null}
      {opened?.open === 'change' ? <WebhookDialog webhook={opened.webhook} onSaved={refresh} onClose={close} /> : null}
      {opened?.open === 'secret' ? (
        <SecretDialog name={opened.webhook.name} onChanged={refresh} onClose={close} />
      ) : null}
      {opened?.open === 'deliveries' ? <DeliveriesDialog webhook={opened.webhook} onClose={close} /> : null}
      {opened?.open === 'delete' ? <DeleteDialog name={opened.webhook.name} onClose={close} /> : null}
    </section>
  )
}
