import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { updateMemberRole } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { effectiveRole, type OrgRole, orgRoles } from '#shared/kernel/permissions.ts'
import type { OrgMember } from '#shared/orgs/members.ts'
import { refreshPeople } from '../queries.ts'
import { RoleField } from './role-field.tsx'

/** Changes a member's role. Only owners appoint owners, and the server keeps the last one. */
export default function EditMemberDialog({ member, onClose }: { member: OrgMember; onClose(): void }) {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [role, setRole] = useState<OrgRole>(effectiveRole(member.roleId))
  const [failure, setFailure] = useState<string>()
  const [isSaving, save] = useTransition()
  const offered = effectiveRole(org.role) === 'owner' ? orgRoles : orgRoles.filter(one => one !== 'owner')
  const submit = () =>
    save(async () => {
      setFailure(undefined)
      try {
        if (role !== member.roleId) await updateMemberRole(org.id, member.id, role)
        await refreshPeople(client, org.slug)
        toast(t('edit.saved', { name: member.name }), { kind: 'success' })
        onClose()
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <Modal title={t('edit.title')} onClose={onClose}>
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
      >
        <Field label={t('name')} value={member.name} hint={t('edit.nameHint')} readOnly />
        <RoleField label={t('role')} offered={offered} value={role} onChoose={setRole} />
        {failure ? <Fault>{failure}</Fault> : null}
        <div className="dialog-buttons">
          <button type="button" className="button" onClick={onClose}>
            {common('cancel')}
          </button>
          <button type="submit" className="button button-primary" disabled={isSaving}>
            {t('edit.save')}
          </button>
        </div>
      </form>
    </Modal>
  )
}
