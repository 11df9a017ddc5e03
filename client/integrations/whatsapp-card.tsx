import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { Suspense, useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import type { Connection } from '#shared/numbers.ts'
import { paths } from '#shared/paths.ts'
import { fullTime } from '#shared/time.ts'
import { useFacts } from '../facts.ts'
import { useLive } from '../shell/live-provider.tsx'
import { useOrg } from '../shell/viewer.ts'
import { Icon } from '../ui/icon.tsx'
import { lazyDialog } from '../ui/lazy-dialog.tsx'
import { connectionQuery, managesConnection, refreshConnection, wabaQuery } from './queries.ts'
import { WebhookLines } from './webhook-lines.tsx'

const TokenDialog = lazyDialog(() => import('./token-dialog.tsx'))
const DisconnectDialog = lazyDialog(() => import('./disconnect-dialog.tsx'))

const chips = { connected: 'chip chip-green', reauthorise: 'chip chip-amber', blocked: 'chip chip-red' } as const

/** Why nothing goes out, and what mends it. */
function Trouble({ connection }: { connection: Connection }) {
  const { t } = useTranslation('integrations')
  const { status, statusReason } = connection
  if (status === 'connected') return null
  return (
    <div className={status === 'blocked' ? 'notice notice-error' : 'notice notice-warn'} role="status">
      <Icon name="warn" />
      <div>
        {/* The sentence for a refused token is about a message. */}
        <p>{(status === 'blocked' && statusReason) || t(`trouble.${status}`)}</p>
        <p>{t(`remedy.${status}`)}</p>
      </div>
    </div>
  )
}

/** What only those who manage the connection see, and what they can do with it. */
function ManagedConnection({ org }: { org: string }) {
  const { t, i18n } = useTranslation('integrations')
  const { timeZone } = useFacts()
  const { data: connection } = useSuspenseQuery(connectionQuery(org))
  const [open, setOpen] = useState<'token' | 'disconnect'>()
  const close = () => setOpen(undefined)
  const isBroken = connection.status !== 'connected'
  return (
    <>
      <Trouble connection={connection} />
      <dl className="facts-list">
        <dt>{t('phoneNumberId')}</dt>
        <dd>{connection.phoneNumberId}</dd>
        <dt>{t('wabaId')}</dt>
        <dd>{connection.wabaId}</dd>
        <dt>{t('lastWebhook')}</dt>
        <dd>
          {connection.lastWebhookAt
            ? fullTime(connection.lastWebhookAt, i18n.language === 'en' ? 'en' : 'es', timeZone)
            : t('neverWebhook')}
        </dd>
      </dl>
      <WebhookLines connection={connection} />
      <div className="card-buttons">
        {connection.kind === 'cloud' ? (
          <button
            type="button"
            className={isBroken ? 'button button-primary' : 'button'}
            onClick={() => setOpen('token')}
          >
            {t(isBroken ? 'token.reconnect' : 'token.open')}
          </button>
        ) : (
          <Link className="button" to={`${paths.companyCreation()}?org=${org}`}>
            {t('connectReal')}
          </Link>
        )}
        <button type="button" className="button button-red" onClick={() => setOpen('disconnect')}>
          {t('disconnect.open')}
        </button>
      </div>
      {open === 'token' ? <TokenDialog connection={connection} onClose={close} /> : null}
      {open === 'disconnect' ? <DisconnectDialog connection={connection} onClose={close} /> : null}
    </>
  )
}

/** The organization's number: how it is, and for owners and admins everything that can be done with it. */
export function WhatsAppCard() {
  const { t } = useTranslation('integrations')
  const { slug, role } = useOrg()
  const client = useQueryClient()
  const live = useLive()
  const { data: waba } = useSuspenseQuery(wabaQuery(slug))
  useEffect(() => {
    if (!live) return
    const refresh = () => void refreshConnection(client, slug)
    const stops = [live.on('connection', refresh), live.on('resync', refresh)]
    return () => {
      for (const stop of stops) stop()
    }
  }, [client, live, slug])
  const manages = managesConnection(role)
  return (
    <section className="card" aria-labelledby="whatsapp">
      <div className="card-head">
        <Icon name="chat" />
        <h2 id="whatsapp">WhatsApp</h2>
        {waba.status ? (
          <span className={chips[waba.status]}>{t(`status.${waba.status}`)}</span>
        ) : (
          <span className="chip">{t('status.none')}</span>
        )}
      </div>
      {waba.phone === null ? (
        <>
          <p>{t('noNumber')}</p>
          {manages ? (
            <div className="card-buttons">
              <Link className="button button-primary" to={`${paths.companyCreation()}?org=${slug}`}>
                {t('connect')}
              </Link>
            </div>
          ) : (
            <p>{t('askManager')}</p>
          )}
        </>
      ) : (
        <>
          <p>
            <strong>{waba.displayPhone || waba.phone}</strong>
            {waba.verifiedName ? ` · ${waba.verifiedName}` : ''} · {t(waba.kind === 'sandbox' ? 'sandbox' : 'cloud')}
          </p>
          {manages ? (
            <Suspense fallback={<span className="skeleton connection-skeleton" />}>
              <ManagedConnection org={slug} />
            </Suspense>
          ) : (
            <>
              {waba.status && waba.status !== 'connected' ? <p>{t(`trouble.${waba.status}`)}</p> : null}
              <p>{t(waba.status === 'connected' ? 'managersSee' : 'managersMend')}</p>
            </>
          )}
        </>
      )}
    </section>
  )
}
