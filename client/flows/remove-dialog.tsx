import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'
import type { FlowSummary } from '#shared/flows/api.ts'
import { refreshFlows } from './queries.ts'

interface RemoveDialogProps {
  readonly flow: FlowSummary
  onClose(): void
}

/** Deletes a flow; if customers are in it, together with their sessions. */
export default function RemoveFlowDialog({ flow, onClose }: RemoveDialogProps) {
  const { t } = useTranslation('flows')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const [endSessions, setEndSessions] = useState(false)
  return (
    <ConfirmDialog
      title={t('removal.title', { name: flow.name })}
      says={[t('removal.versions')]}
      confirm={t('removal.confirm')}
      run={async () => {
        await api.flows.remove({ params: { id: flow.id }, query: endSessions ? { endSessions } : {} })
        await refreshFlows(client, slug)
        toast(t('removal.done', { name: flow.name }), { kind: 'success' })
      }}
      onClose={onClose}
    >
      <label className="check">
        <input type="checkbox" checked={endSessions} onChange={({ target }) => setEndSessions(target.checked)} />
        <span>{t('removal.endSessions')}</span>
      </label>
    </ConfirmDialog>
  )
}
