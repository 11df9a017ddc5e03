import { useTranslation } from 'react-i18next'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import type { Connection } from '#shared/numbers/api.ts'
import { useFacts } from '../app/facts.ts'

/** The address and verify token to paste into Meta. */
export function WebhookLines({ connection }: { connection: Pick<Connection, 'webhookPath' | 'verifyToken'> }) {
  const { t } = useTranslation()
  const { publicUrl } = useFacts()
  const lines = [
    { label: t('webhook.address'), value: publicUrl + connection.webhookPath },
    { label: t('webhook.verifyToken'), value: connection.verifyToken },
  ]
  return (
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
  )
}
