import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { removeMember } from '#client/app/calls/auth-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'
import type { OrgMember } from '#shared/orgs/members.ts'
import { refreshPeople } from '../queries.ts'

interface RemoveMemberDialogProps {
  readonly member: OrgMember
  onClose(): void
}

/** Confirms removing a member, and says what stays and what ends. */
export default function RemoveMemberDialog({ member, onClose }: RemoveMemberDialogProps) {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const client = useQueryClient()
  const { name } = member
  return (
    <ConfirmDialog
      title={t('remove.title', { name })}
      says={[t('remove.conversations'), t('remove.access'), t('remove.back')]}
      confirm={t('remove.confirm')}
      onClose={onClose}
      run={async () => {
        await removeMember(org.id, member.id)
        await refreshPeople(client, org.slug)
        toast(t('remove.done', { name }), { kind: 'success' })
      }}
    />
  )
}
