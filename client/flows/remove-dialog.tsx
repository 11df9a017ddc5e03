import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useOrg } from '#client/shell/viewer.ts'
import { ConfirmDialog } from '#client/ui/confirm-dialog.tsx'
import { toast } from '#client/ui/toasts.tsx'
import { useApi } from '#client/use-api.ts'
import type { FlowSummary } from '#shared/flows.ts'
import { refreshFlows } from './queries.ts'

interface RemoveDialogProps {
  readonly flow: FlowSummary
  onClose(): void
}

/** A flow ends for good. */
export default function RemoveFlowDialog({ flow, onClose }: RemoveDialogProps) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  return (
    <ConfirmDialog
      title={t('removal.title', { name: flow.name })}
      says={[t('removal.versions'), t('removal.sessions')]}
      confirm={t('removal.confirm')}
      run={async () => {
        await api.flows.remove({ params: { id: flow.id }, query: {} })
        await refreshFlows(client, slug)
        toast(t('removal.done', { name: flow.name }), { kind: 'success' })
      }}
      onClose={onClose}
    />
  )
}
