import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { callAuth, renamePerson } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useViewer } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { PersonNameField } from './person-name-field.tsx'

/** Makes the person a member, and activates the organization. */
const acceptInvitation = (invitationId: string) => callAuth('/organization/accept-invitation', { invitationId })
const rejectInvitation = (invitationId: string) => callAuth('/organization/reject-invitation', { invitationId })

interface InvitationActionsProps {
  readonly id: string
  readonly org: string
  /** Asks for a name if the person has none, because the team will see it. */
  readonly asksName?: boolean
  onAccepted(): void
  onRejected(): void
}

/** Accepts or rejects an invitation, once. */
export function InvitationActions({ id, org, asksName = false, onAccepted, onRejected }: InvitationActionsProps) {
  const { t } = useTranslation('orgs')
  const { user } = useViewer()
  const failureText = useFailureText()
  const [person, setPerson] = useState('')
  const [failure, setFailure] = useState<string>()
  const [doing, setDoing] = useState<'accept' | 'reject'>()
  const [isBusy, work] = useTransition()
  const isNameless = asksName && user.name === user.email.split('@')[0]
  const run = (what: 'accept' | 'reject') =>
    work(async () => {
      setDoing(what)
      setFailure(undefined)
      try {
        if (what === 'reject') await rejectInvitation(id)
        else {
          if (person.trim()) await renamePerson(person.trim())
          await acceptInvitation(id)
        }
        if (what === 'accept') onAccepted()
        else onRejected()
      } catch (error) {
        setDoing(undefined)
        setFailure(failureText(error))
      }
    })
  return (
    <form className="stack stack-tight" noValidate action={() => run('accept')}>
      {isNameless ? <PersonNameField value={person} onChange={setPerson} /> : null}
      <div className="answer">
        <button
          type="submit"
          className="button button-primary"
          disabled={isBusy}
          aria-label={t('invitation.acceptOf', { org })}
        >
          {doing === 'accept' ? t('invitation.accepting') : t('invitation.accept')}
        </button>
        <button
          type="button"
          className="button"
          disabled={isBusy}
          aria-label={t('invitation.rejectOf', { org })}
          onClick={() => run('reject')}
        >
          {doing === 'reject' ? t('invitation.rejecting') : t('invitation.reject')}
        </button>
      </div>
      {failure ? <Fault>{failure}</Fault> : null}
    </form>
  )
}
