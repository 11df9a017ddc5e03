import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { addTeamMember, removeTeamMember } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { membersQuery } from '#client/shell/org-queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { DialogClose } from '#client/ui/overlays/dialog-close.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import type { OrgTeam } from '#shared/orgs/members.ts'
import { refreshPeople } from '../queries.ts'

interface TeamMembersDialogProps {
  readonly team: OrgTeam
  readonly manages: boolean
  onClose(): void
}

/** The members of a team. Changes are saved at once and reverted when refused. */
export default function TeamMembersDialog({ team, manages, onClose }: TeamMembersDialogProps) {
  const { t } = useTranslation('admin')
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { data } = useQuery(membersQuery(org.slug))
  const [failure, setFailure] = useState<string>()
  const [inTeam, setInTeam] = useState<ReadonlySet<string>>(() => new Set(team.memberIds))
  const people = (data?.items ?? []).filter(member => manages || inTeam.has(member.userId))

  const put = (isIn: boolean, userId: string) =>
    setInTeam(before => new Set(isIn ? [...before, userId] : [...before].filter(id => id !== userId)))
  const toggle = async (isIn: boolean, userId: string) => {
    setFailure(undefined)
    put(isIn, userId)
    try {
      await (isIn ? addTeamMember : removeTeamMember)(org.id, team.id, userId)
    } catch (error) {
      put(!isIn, userId)
      setFailure(failureText(error))
    }
    await refreshPeople(client, org.slug)
  }
  return (
    <Modal title={t('teams.membersOf', { name: team.name })} onClose={onClose}>
      {data && !people.length ? <p className="lead">{t('teams.nobody')}</p> : null}
      <ul className="admin-people">
        {people.map(({ userId, name, email }) => (
          <li key={userId}>
            {manages ? (
              <label>
                <input
                  type="checkbox"
                  checked={inTeam.has(userId)}
                  onChange={({ target }) => void toggle(target.checked, userId)}
                />
                <Avatar name={name} of={userId} small />
                <span>
                  <strong dir="auto">{name}</strong>
                  <span>{email}</span>
                </span>
              </label>
            ) : (
              <div>
                <Avatar name={name} of={userId} small />
                <span>
                  <strong dir="auto">{name}</strong>
                  <span>{email}</span>
                </span>
              </div>
            )}
          </li>
        ))}
      </ul>
      {failure ? <Fault>{failure}</Fault> : null}
      <DialogClose onClose={onClose} />
    </Modal>
  )
}
