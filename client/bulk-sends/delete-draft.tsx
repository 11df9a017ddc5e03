import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { LazyConfirm } from '#client/ui/overlays/lazy-confirm.tsx'

interface DeleteDraftProps {
  readonly id: string
  onDeleted?(): void
  onClose(): void
}

/** Confirms deleting a draft. */
export function DeleteDraft({ id, onDeleted, onClose }: DeleteDraftProps) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  return (
    <LazyConfirm
      title={t('draft.deleteTitle')}
      says={[t('draft.deleteSays')]}
      confirm={t('draft.delete')}
      onClose={onClose}
      run={async () => {
        await api.bulkDrafts.deleteDraft({ params: { id } })
        onDeleted?.()
        await client.invalidateQueries({ queryKey: keyFor(slug, 'bulkDrafts.listDrafts') })
      }}
    />
  )
}
