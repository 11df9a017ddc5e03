import { useQueryClient } from '@tanstack/react-query'
import { Suspense } from 'react'
import { useTranslation } from 'react-i18next'
import { useOrg } from '../shell/viewer.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { useApi } from '../use-api.ts'
import { refreshSends } from './queries.ts'

interface CancelDialogProps {
  readonly id: string
  onClose(): void
}

function Ask({ id, onClose }: CancelDialogProps) {
  const { t } = useTranslation('bulk')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  return (
    <ConfirmDialog
      title={t('cancel.title')}
      says={[t('cancel.rest'), t('cancel.sent'), t('cancel.final')]}
      confirm={t('cancel.confirm')}
      onClose={onClose}
      run={async () => {
        await api.bulkSends.cancel({ params: { id } })
        await refreshSends(client, slug, id)
      }}
    />
  )
}

/** Asks before a send ends for good. */
export default function CancelDialog(props: CancelDialogProps) {
  return (
    <Suspense fallback={null}>
      <Ask {...props} />
    </Suspense>
  )
}
