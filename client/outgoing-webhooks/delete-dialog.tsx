import { useTranslation } from 'react-i18next'
import { useApi } from '../app/use-api.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { toast } from '../ui/toasts.tsx'

/** Says what goes with a webhook before it goes. */
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
