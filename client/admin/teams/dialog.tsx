import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { createTeam, updateTeam } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { type OrgTeam, teamDescriptionMaxChars, teamNameMaxChars } from '#shared/orgs/members.ts'
import { refreshPeople } from '../queries.ts'

const widthPx = 425

interface TeamDialogProps {
  /** Absent: a new team. */
  readonly team?: OrgTeam
  onClose(): void
}

export default function TeamDialog({ team, onClose }: TeamDialogProps) {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const id = useId()
  const [name, setName] = useState(team?.name ?? '')
  const [description, setDescription] = useState(team?.description ?? '')
  const [fault, setFault] = useState<string>()
  const [failure, setFailure] = useState<string>()
  const [isSaving, save] = useWork()
  const submit = () =>
    save(async () => {
      const text = { name: name.trim(), description: description.trim() }
      setFailure(undefined)
      if (!text.name) return setFault(t('teams.nameRequired'))
      try {
        if (team) await updateTeam(org.id, team.id, text)
        else await createTeam(org.id, text)
      } catch (error) {
        return setFailure(failureText(error))
      }
      await refreshPeople(client, org.slug)
      toast(t(team ? 'teams.saved' : 'teams.created', { name: text.name }), { kind: 'success' })
      onClose()
    })
  return (
    <Modal title={t(team ? 'teams.edit' : 'teams.createTitle')} width={widthPx} onClose={onClose}>
      <DialogForm
        confirm={t(team ? 'edit.save' : 'teams.create')}
        isWorking={isSaving}
        onSubmit={submit}
        onCancel={onClose}
      >
        <Field
          label={t('teams.name')}
          name="name"
          autoComplete="off"
          required
          maxLength={teamNameMaxChars}
          value={name}
          fault={fault}
          onChange={({ target }) => {
            setName(target.value)
            setFault(undefined)
          }}
        />
        <div className="field">
          <label htmlFor={id}>{t('teams.description')}</label>
          <textarea
            dir="auto"
            id={id}
            rows={3}
            maxLength={teamDescriptionMaxChars}
            value={description}
            onChange={({ target }) => setDescription(target.value)}
          />
        </div>
        {failure ? <Fault>{failure}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
