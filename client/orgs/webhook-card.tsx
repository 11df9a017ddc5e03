import { useTranslation } from 'react-i18next'
import { WebhookLines } from '#client/integrations/webhook-lines.tsx'
import type { Connection } from '#shared/numbers/api.ts'

/** A number that was just connected, with the values to paste into Meta. */
export function WebhookCard({ connection, nextHref }: { connection: Connection; nextHref: string }) {
  const { t } = useTranslation('orgs')
  return (
    <div className="stack">
      <div>
        <h1>{t('webhook.title', { number: connection.displayPhone || connection.phone })}</h1>
        <p className="lead">{t('webhook.text')}</p>
      </div>
      <WebhookLines connection={connection} />
      <a className="button button-primary button-wide" href={nextHref}>
        {t('webhook.done')}
      </a>
    </div>
  )
}
