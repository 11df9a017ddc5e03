import { useQueryClient } from '@tanstack/react-query'
import { useId, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import type { OrgMember } from '#shared/members.ts'
import { effectiveRole, isOrgRole, type OrgRole, orgRoles } from '#shared/permissions.ts'
import { updateMemberRole } from '../auth-api.ts'
import { keyFor } from '../queries.ts'
import { useOrg } from '../shell/viewer.ts'
import { Dialog } from '../ui/dialog.tsx'
import { Fault, Field } from '../ui/field.tsx'
import { toast } from '../ui/toasts.tsx'
import { useFailureText } from '../use-api.ts'

/** Gives a member another role; only an owner makes owners, and the server keeps the last one. */
export default function EditMemberDialog({ member, onClose }: { member: OrgMember; onClose(): void }) {
  const { t } = useTranslation('admin')
  const { t: common } = useTranslation()
  const { t: shell } = useTranslation('shell')
  const id = useId()
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
        await client.invalidateQueries({ queryKey: keyFor(org.slug, 'members.listMembers') })
        toast(t('edit.saved', { name: member.name }), { kind: 'success' })
        onClose()
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <Dialog title={t('edit.title')} onClose={onClose}>
      <form
        className="stack"
        onSubmit={event => {
          event.preventDefault()
          submit()
        }}
      >
        <Field label={t('name')} value={member.name} readOnly />
        <div className="field">
          <label htmlFor={id}>{t('role')}</label>
          <select id={id} value={role} onChange={({ target }) => isOrgRole(target.value) && setRole(target.value)}>
            {offered.map(one => (
              <option key={one} value={one}>
                {shell(`role.${one}`)}
              </option>
            ))}
          </select>
        </div>
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
    </Dialog>
  )
}
