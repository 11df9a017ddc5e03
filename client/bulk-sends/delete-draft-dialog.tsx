import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { keyFor } from '../queries.ts'
import { useOrg } from '../shell/viewer.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useApi } from '../use-api.ts'

interface DeleteDraftDialogProps {
  readonly id: string
  onDeleted?(): void
  onClose(): void
}

function Ask({ id, onDeleted, onClose }: DeleteDraftDialogProps) {
  const { t } = useTranslation('bulk')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  return (
    <ConfirmDialog
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

/** Asks before what was put together is lost. */
export default function DeleteDraftDialog(props: DeleteDraftDialogProps) {
  return (
    <Suspense fallback={null}>
      <Ask {...props} />
    </Suspense>
  )
}
