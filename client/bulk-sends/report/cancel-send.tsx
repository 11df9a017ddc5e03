import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { LazyConfirm } from '#client/ui/overlays/lazy-confirm.tsx'
import { refreshSends } from '../queries.ts'

/** Confirms cancelling a send, which cannot be undone. */
export function CancelSend({ id, onClose }: { readonly id: string; onClose(): void }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  return (
    <LazyConfirm
      title={t('cancel.title')}
      says={[t('cancel.rest'), t('cancel.sent'), t('cancel.final')]}
      confirm={t('cancel.confirm')}
      back={t('cancel.back')}
      onClose={onClose}
      run={async () => {
        await api.bulkSends.cancel({ params: { id } })
        await refreshSends(client, slug, id)
      }}
    />
  )
}
