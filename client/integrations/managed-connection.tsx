import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'
import type { Connection } from '#shared/numbers/api.ts'
import { NumberStanding } from './number-standing.tsx'
import { WebhookLines } from './webhook-lines.tsx'

const TokenDialog = lazyDialog(() => import('./token-dialog.tsx'))
const RenameDialog = lazyDialog(() => import('./rename-dialog.tsx'))
const DisconnectDialog = lazyDialog(() => import('./disconnect-dialog.tsx'))

/** Why nothing can be sent, and how to fix it. */
function Trouble({ connection }: { connection: Connection }) {
  const { t } = useTranslation('integrations')
  const { status, statusReason, kind } = connection
  if (status === 'connected') return null
  return (
    <div className={status === 'blocked' ? 'notice notice-error' : 'notice notice-warn'} role="status">
      <Icon name="warn" />
      <div>
        {/* The text for a refused token is about a message. */}
        <p>{(status === 'blocked' && statusReason) || t(`trouble.${status}`)}</p>
        <p>{t(status === 'reauthorise' && kind === 'sandbox' ? 'remedy.sandbox' : `remedy.${status}`)}</p>
      </div>
    </div>
  )
}

/** Actions for people who manage a connection. With a name if there are several. */
export function ManagedConnection({
  org,
  connection,
  hasOthers,
}: {
  org: string
  connection: Connection
  hasOthers: boolean
}) {
  const { t } = useTranslation('integrations')
  const [open, setOpen] = useState<'token' | 'rename' | 'disconnect'>()
  const close = () => setOpen(undefined)
  const isBroken = connection.status !== 'connected'
  return (
    <>
      <Trouble connection={connection} />
      <NumberStanding org={org} id={hasOthers ? connection.id : undefined} status={connection.status} />
      <dl className="facts-list">
        <dt>{t('phoneNumberId')}</dt>
        <dd>{connection.phoneNumberId}</dd>
        <dt>{t('wabaId')}</dt>
        <dd>{connection.wabaId}</dd>
      </dl>
      <WebhookLines connection={connection} />
      <div className="card-buttons">
        <Link className="button" to={`${paths.settingsOf(org, 'whatsapp')}${hasOthers ? `?n=${connection.id}` : ''}`}>
          {t('connectionPage')}
        </Link>
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
        {hasOthers ? (
          <button type="button" className="button" onClick={() => setOpen('rename')}>
            {t('rename.open')}
          </button>
        ) : null}
        <button type="button" className="button button-red" onClick={() => setOpen('disconnect')}>
          {t('disconnect.open')}
        </button>
      </div>
      {open === 'token' ? <TokenDialog connection={connection} onClose={close} /> : null}
      {open === 'rename' ? <RenameDialog connection={connection} onClose={close} /> : null}
      {open === 'disconnect' ? (
        <DisconnectDialog connection={connection} hasOthers={hasOthers} onClose={close} />
      ) : null}
    </>
  )
}
