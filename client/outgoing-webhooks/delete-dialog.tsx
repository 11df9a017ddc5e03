import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'

/** Confirms deleting a webhook and its deliveries. */
export default function DeleteDialog({ name, onClose }: { readonly name: string; onClose(): void }) {
  const { t } = useTranslation('integrations')
  const api = useApi()
  return (
    <ConfirmDialog
      title={t('hooks.deleteTitle', { name })}
      says={[t('hooks.deleteSays'), t('hooks.deleteButtons')]}
      confirm={t('hooks.delete')}
      run={async () => {
        await api.outgoingWebhooks.deleteWebhook({ params: { name } })
        toast(t('hooks.deleted', { name }), { kind: 'success' })
      }}
      onClose={onClose}
    />
  )
}
