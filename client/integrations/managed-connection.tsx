import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { MenuItem } from '#client/ui/overlays/menu.tsx'
import { RowMenu } from '#client/ui/overlays/row-menu.tsx'
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
    <div className="integration-part">
      <div className={status === 'blocked' ? 'notice notice-error' : 'notice notice-warn'} role="status">
        <Icon name="warn" />
        <div>
          {/* The text for a refused token is about a message. */}
          <p>{(status === 'blocked' && statusReason) || t(`trouble.${status}`)}</p>
          <p>{t(status === 'reauthorise' && kind === 'sandbox' ? 'remedy.sandbox' : `remedy.${status}`)}</p>
        </div>
      </div>
    </div>
  )
}

/** The data that is copied into Meta once, and that Meta's support asks for. */
function DataForMeta({ connection }: { connection: Connection }) {
  const { t } = useTranslation('integrations')
  return (
    <details className="integration-part">
      <summary>{t('forMeta.title')}</summary>
      <div className="stack-l">
        <p className="small">{t('forMeta.text')}</p>
        <WebhookLines connection={connection} />
        <dl className="facts-list">
          <dt>{t('phoneNumberId')}</dt>
          <dd>{connection.phoneNumberId}</dd>
          <dt>{t('wabaId')}</dt>
          <dd>{connection.wabaId}</dd>
        </dl>
      </div>
    </details>
  )
}

/** Actions for people who manage a connection. With a name if there are several. */
export function ManagedConnection({
  org,
  connection,
  hasOthers,
  addHref,
}: {
  org: string
  connection: Connection
  hasOthers: boolean
  /** The link to add another number. Absent: the card shows it below its numbers. */
  addHref?: string
}) {
  const { t } = useTranslation('integrations')
  const [open, setOpen] = useState<'token' | 'rename' | 'disconnect'>()
  const close = () => setOpen(undefined)
  const { id, kind, status, displayPhone, phone, label } = connection
  const isCloud = kind === 'cloud'
  const isBroken = status !== 'connected'
  return (
    <>
      <Trouble connection={connection} />
      <NumberStanding
        id={hasOthers ? id : undefined}
        status={status}
        mend={
          isCloud && isBroken ? (
            <button type="button" className="button button-primary" onClick={() => setOpen('token')}>
              {t('token.reconnect')}
            </button>
          ) : null
        }
        actions={
          <>
            <Link className="link" to={`${paths.settingsOf(org, 'whatsapp')}${hasOthers ? `?n=${id}` : ''}`}>
              {t('connectionPage')}
            </Link>
            {isCloud && !isBroken && addHref ? (
              <Link className="link" to={addHref}>
                {t('addNumber')}
              </Link>
            ) : null}
            <RowMenu
              label={t('hooks.actionsOf', { name: label || displayPhone || `+${phone}` })}
              items={() => (
                <>
                  {isCloud && !isBroken ? (
                    <MenuItem onClick={() => setOpen('token')}>{t('token.open')}</MenuItem>
                  ) : null}
                  {hasOthers ? <MenuItem onClick={() => setOpen('rename')}>{t('rename.open')}</MenuItem> : null}
                  <MenuItem danger onClick={() => setOpen('disconnect')}>
                    {t('disconnect.open')}
                  </MenuItem>
                </>
              )}
            />
          </>
        }
      >
        {isCloud ? null : (
          <p className="integration-none row-between">
            <span>{t('sandboxSays')}</span>
            <Link to={`${paths.companyCreation()}?org=${org}`}>{t('connectReal')}</Link>
          </p>
        )}
        <DataForMeta connection={connection} />
      </NumberStanding>
      {open === 'token' ? <TokenDialog connection={connection} onClose={close} /> : null}
      {open === 'rename' ? <RenameDialog connection={connection} onClose={close} /> : null}
      {open === 'disconnect' ? (
        <DisconnectDialog connection={connection} hasOthers={hasOthers} onClose={close} />
      ) : null}
    </>
  )
}
