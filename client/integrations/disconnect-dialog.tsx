import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { isApiError } from '#client/app/calls/api-error.ts'
import { useApi } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'
import type { Connection } from '#shared/numbers/api.ts'
import { refreshConnection } from './queries.ts'

interface DisconnectDialogProps {
  readonly connection: Connection
  /** Other numbers stay connected. */
  readonly hasOthers: boolean
  onClose(): void
}

/** Confirms disconnecting a number, and says what stays. */
export default function DisconnectDialog({ connection, hasOthers, onClose }: DisconnectDialogProps) {
  const { t } = useTranslation('integrations')
  const org = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const number = connection.displayPhone || connection.phone
  const disconnect = async () => {
    try {
      await api.numbers.disconnect({ query: { id: connection.id } })
    } catch (error) {
      // It was already disconnected.
      if (!(isApiError(error) && error.code === 'NUMBERS_NOT_CONNECTED')) throw error
    }
    await refreshConnection(client, org.slug)
    toast(t('disconnect.done', { number }), { kind: 'success' })
  }
  return (
    <ConfirmDialog
      title={t('disconnect.title', { number })}
      says={[t('disconnect.waiting'), t('disconnect.history'), t(hasOthers ? 'disconnect.others' : 'disconnect.after')]}
      confirm={t('disconnect.confirm')}
      run={disconnect}
      onClose={onClose}
    />
  )
}
