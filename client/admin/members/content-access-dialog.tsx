import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogClose } from '#client/ui/overlays/dialog-close.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { roleCan } from '#shared/kernel/permissions.ts'
import type { OrgMember } from '#shared/orgs/members.ts'
import { assignedTagsQuery, availableTagsQuery, contentAccessQuery, refreshContentAccess } from '../queries.ts'
import { RowsSkeleton } from '../rows-skeleton.tsx'
import { RoleChip } from './role-chip.tsx'

interface ContentAccessDialogProps {
  readonly member: OrgMember
  onClose(): void
}

/** The tags whose content a role sees. Each change is saved at once and reverted when refused. */
export default function ContentAccessDialog({ member: { roleId, rol }, onClose }: ContentAccessDialogProps) {
  const { t } = useTranslation('admin')
  const api = useApi()
  const { slug } = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const available = useQuery(availableTagsQuery(slug))
  const assigned = useQuery(assignedTagsQuery(slug, roleId))
  const access = useQuery(contentAccessQuery(slug))
  const refresh = () => void refreshContentAccess(client, slug)
  useEvents({ contentAccess: refresh, tags: refresh }, refresh)
  const [failure, setFailure] = useState<string>()
  /** Changes that are not answered yet. */
  const [pending, setPending] = useState<ReadonlyMap<string, boolean>>(new Map())
  const hasAll = roleCan(roleId, 'member:manage')
  const granted = new Set(assigned.data?.items.map(({ tagId }) => tagId))
  const isOn = (id: string, stored: boolean) => pending.get(id) ?? stored

  const save = async (id: string, on: boolean, call: () => Promise<unknown>) => {
    setFailure(undefined)
    setPending(before => new Map(before).set(id, on))
    try {
      await call()
      await refreshContentAccess(client, slug)
      toast(t('content.saved'), { kind: 'success', key: 'content-access' })
    } catch (error) {
      setFailure(failureText(error))
    }
    setPending(before => new Map([...before].filter(([one]) => one !== id)))
  }
  const grant = (phoneTagId: string, on: boolean) =>
    save(phoneTagId, on, () => api.visibility.setContentPermission({ body: { role: roleId, phoneTagId, granted: on } }))
  const limits = ['conversations', 'teams'] as const
  const tags = available.data?.items ?? []
  const isLoading = available.isPending || assigned.isPending || access.isPending
  const fault = failure ?? [available, assigned, access].flatMap(({ error }) => (error ? [failureText(error)] : []))[0]
  const title = (
    <>
      {t('content.title')} <RoleChip role={roleId} label={rol} />
    </>
  )
  return (
    <Modal title={title} width={480} onClose={onClose}>
      <fieldset className="admin-content" aria-busy={isLoading}>
        <legend>{t('content.heading')}</legend>
        {isLoading ? <RowsSkeleton /> : null}
        {available.data && !tags.length ? <p className="field-hint">{t('content.none')}</p> : null}
        <ul className="admin-people">
          {isLoading
            ? null
            : tags.map(({ id, label }) => (
                <li key={id}>
                  <label>
                    <input
                      type="checkbox"
                      checked={hasAll || isOn(id, granted.has(id))}
                      disabled={hasAll}
                      onChange={({ target }) => void grant(id, target.checked)}
                    />
                    <span dir="auto">{label}</span>
                  </label>
                </li>
              ))}
        </ul>
        <p className="field-hint">{t(hasAll ? 'content.hasAll' : 'content.hint')}</p>
      </fieldset>
      {limits.map(limit =>
        access.data ? (
          <label key={limit} className="admin-content-all">
            <input
              type="checkbox"
              checked={isOn(limit, access.data[limit])}
              onChange={({ target: { checked } }) =>
                void save(limit, checked, () => api.visibility.changeContentAccess({ body: { [limit]: checked } }))
              }
            />
            <span>
              <strong>{t(`content.${limit}`)}</strong>
              <span className="field-hint">{t(`content.${limit}Hint`)}</span>
            </span>
          </label>
        ) : null,
      )}
      {fault ? <Fault>{fault}</Fault> : null}
      <DialogClose onClose={onClose} />
    </Modal>
  )
}
