import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { Tag } from '#shared/tags/api.ts'
import { refreshTags, tagsQuery, tagUsageQuery } from './queries.ts'
import { useRoleNames } from './role-names.ts'

interface MergeTagDialogProps {
  readonly tag: Tag
  onClose(): void
}

/** Merges two tags, after showing whom it affects. */
export default function MergeTagDialog({ tag: { id, label }, onClose }: MergeTagDialogProps) {
  const { t } = useTranslation('tags')
  const fieldId = useId()
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const roleNames = useRoleNames()
  const { data: usage, error } = useQuery({ ...tagUsageQuery(slug, id), staleTime: 0 })
  const others = (useQuery(tagsQuery(slug)).data?.items ?? []).filter(other => other.id !== id)
  const [into, setInto] = useState('')
  const [failure, setFailure] = useState<string>()
  const [isMerging, merge] = useTransition()
  const says = usage
    ? [
        usage.contacts ? t('mergeDialog.contacts', { count: usage.contacts }) : t('mergeDialog.nobody'),
        t('mergeDialog.gone', { label }),
        ...(usage.roles.length ? [t('mergeDialog.roles', { roles: roleNames(usage.roles) })] : []),
        t('mergeDialog.back'),
      ]
    : [t('loading')]
  const submit = () =>
    merge(async () => {
      setFailure(undefined)
      try {
        const merged = await api.tags.mergeTag({ params: { id }, body: { into } })
        await refreshTags(client, slug)
        toast(t('mergeDialog.done', { label, into: merged.label }), { kind: 'success' })
        onClose()
      } catch (refusal) {
        setFailure(failureText(refusal))
      }
    })
  const fault = failure ?? (error ? failureText(error) : undefined)
  return (
    <Modal title={t('mergeDialog.title', { label })} onClose={onClose}>
      <DialogForm
        confirm={t('mergeDialog.confirm')}
        isDanger
        isWaiting={!into}
        isWorking={isMerging}
        onSubmit={() => into && submit()}
        onCancel={onClose}
      >
        <div className="field">
          <label htmlFor={fieldId}>{t('mergeDialog.into')}</label>
          <select id={fieldId} value={into} onChange={({ target }) => setInto(target.value)}>
            <option value="">{t('mergeDialog.choose')}</option>
            {others.map(other => (
              <option key={other.id} value={other.id} dir="auto">
                {other.label}
              </option>
            ))}
          </select>
        </div>
        <ul className="consequences">
          {says.map(one => (
            <li key={one}>{one}</li>
          ))}
        </ul>
        {fault ? <Fault>{fault}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
