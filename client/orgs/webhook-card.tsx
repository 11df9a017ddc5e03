import { useSyncExternalStore } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#shared/numbers.ts'
import { CopyButton } from '../ui/copy-button.tsx'

const unchanging = () => () => undefined

/** What to paste into Meta, so that messages find the way here. */
export function WebhookCard({ connection, nextHref }: { connection: Connection; nextHref: string }) {
  const { t } = useTranslation('orgs')
  const origin = useSyncExternalStore(
    unchanging,
    () => location.origin,
    () => '',
  )
  const lines = [
    { label: t('webhook.address'), value: origin + connection.webhookPath },
    { label: t('webhook.verifyToken'), value: connection.verifyToken },
  ]
  return (
    <div className="stack">
      <div>
        <h1>{t('webhook.title', { number: connection.displayPhone || connection.phone })}</h1>
        <p className="lead">{t('webhook.text')}</p>
      </div>
      <dl className="copy-lines">
        {lines.map(({ label, value }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>
              <code>{value}</code>
              <CopyButton
                value={value}
                label={t('webhook.copy', { what: label })}
                done={t('webhook.copied')}
                failed={t('webhook.copyFailed')}
              />
            </dd>
          </div>
        ))}
      </dl>
      <a className="button button-primary button-wide" href={nextHref}>
        {t('webhook.done')}
      </a>
    </div>
  )
}
