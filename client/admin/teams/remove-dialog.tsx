import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { removeTeam } from '#client/app/calls/auth-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'
import type { OrgTeam } from '#shared/orgs/members.ts'
import { refreshPeople } from '../queries.ts'

interface RemoveTeamDialogProps {
  readonly team: OrgTeam
  onClose(): void
}

export default function RemoveTeamDialog({ team, onClose }: RemoveTeamDialogProps) {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const client = useQueryClient()
  const { name } = team
  return (
    <ConfirmDialog
      title={t('teams.removeTitle', { name })}
      says={[t('teams.removePeople'), t('teams.removeInvited')]}
      confirm={t('teams.remove')}
      onClose={onClose}
      run={async () => {
        await removeTeam(org.id, team.id)
        await refreshPeople(client, org.slug)
        toast(t('teams.removed', { name }), { kind: 'success' })
      }}
    />
  )
}
