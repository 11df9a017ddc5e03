import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '#client/app/calls/api-error.ts'
import { inviteMember } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { teamsQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { type OrgRole, orgRoles } from '#shared/kernel/permissions.ts'
import { TeamField } from '../teams/field.tsx'
import { RoleField } from './role-field.tsx'

/** Owners are appointed from members. */
const offered = orgRoles.filter(role => role !== 'owner')
const looksLikeEmail = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)

/** Mails an invitation. Errors are shown beside the address. */
export default function InviteDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [email, setEmail] = useState('')
  const [role, setRole] = useState<OrgRole>('member')
  const [team, setTeam] = useState('')
  // Optional: without the list, the invitation can still be sent.
  const teams = useQuery(teamsQuery(org.slug)).data?.items ?? []
  const [fault, setFault] = useState<string>()
  const [isSending, send] = useTransition()
  const submit = () =>
    send(async () => {
      const address = email.trim()
      if (!looksLikeEmail(address)) return setFault(t('invite.emailInvalid'))
      let failure: unknown
      try {
        await inviteMember(org.id, address, role, { teamId: team || undefined })
      } catch (error) {
        failure = error
      }
      // An invitation that could not be mailed is stored and listed.
      if (!failure || (isApiError(failure) && failure.code === 'AUTH_INVITATION_NOT_MAILED'))
        await client.invalidateQueries({ queryKey: keyFor(org.slug, 'invitations.listSent') })
      if (failure) return setFault(failureText(failure))
      toast(t('invite.sent', { email: address }), { kind: 'success' })
      onClose()
    })
  return (
    <Modal title={t('invite.title')} onClose={onClose}>
      <p className="lead">{t('invite.text')}</p>
      <DialogForm confirm={t('invite.send')} isWorking={isSending} onSubmit={submit} onCancel={onClose}>
        <Field
          label={t('invite.email')}
          name="email"
          type="email"
          autoComplete="off"
          required
          maxLength={254}
          value={email}
          fault={fault}
          onChange={({ target }) => {
            setEmail(target.value)
            setFault(undefined)
          }}
        />
        <RoleField label={t('invite.role')} offered={offered} value={role} onChoose={setRole} />
        <TeamField label={t('invite.team')} none={t('invite.noTeam')} teams={teams} value={team} onChoose={setTeam} />
      </DialogForm>
    </Modal>
  )
}
