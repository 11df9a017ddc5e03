import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { ConfirmDialog } from '#client/ui/overlays/confirm-dialog.tsx'
import type { Tag } from '#shared/tags/api.ts'
import { refreshTags, tagUsageQuery } from './queries.ts'
import { useRoleNames } from './role-names.ts'

interface RemoveTagDialogProps {
  readonly tag: Tag
  onClose(): void
}

/** Confirms deleting a tag, and shows whom it affects. */
export default function RemoveTagDialog({ tag: { id, label }, onClose }: RemoveTagDialogProps) {
  const { t } = useTranslation('tags')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const roleNames = useRoleNames()
  const { data, error } = useQuery({ ...tagUsageQuery(slug, id), staleTime: 0 })
  const says = data
    ? [
        data.contacts ? t('removeDialog.contacts', { count: data.contacts }) : t('removeDialog.nobody'),
        ...(data.roles.length ? [t('removeDialog.roles', { roles: roleNames(data.roles) })] : []),
        t('removeDialog.back'),
      ]
    : [error ? failureText(error) : t('loading')]
  return (
    <ConfirmDialog
      title={t('removeDialog.title', { label })}
      says={says}
      confirm={t('remove')}
      onClose={onClose}
      run={async () => {
        await api.tags.deleteTag({ params: { id } })
        await refreshTags(client, slug)
        toast(t('removeDialog.done', { label }), { kind: 'success' })
      }}
    />
  )
}
