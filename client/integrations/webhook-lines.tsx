import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import type { Connection } from '#shared/numbers/api.ts'
import { CopyLines } from './copy-lines.tsx'

/** The address and verify token to paste into Meta. */
export function WebhookLines({ connection }: { connection: Pick<Connection, 'webhookPath' | 'verifyToken'> }) {
  const { t } = useTranslation()
  const { publicUrl } = useFacts()
  const lines = [
    { label: t('webhook.address'), value: publicUrl + connection.webhookPath },
    { label: t('webhook.verifyToken'), value: connection.verifyToken },
  ]
  return <CopyLines lines={lines} />
}
