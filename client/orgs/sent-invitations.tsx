import { useAnswer } from '#client/app/use-answer.ts'
import './sent-invitations.css'
import { useQueryClient } from '@tanstack/react-query'
import { useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import type { SentInvitation } from '#shared/orgs/invitations.ts'
import { cancelInvitation, inviteMember } from '../app/auth-api.ts'
import { keyFor, queryFor } from '../app/queries.ts'
import { useFailureText } from '../app/use-api.ts'

export const sentQuery = (org: string) => queryFor(org, 'invitations.listSent', {})

interface InvitingOrg {
  readonly id: string
  readonly slug: string
}

function Invitation({ invitation, org }: { invitation: SentInvitation; org: InvitingOrg }) {
  const { t } = useTranslation('common')
  const { t: shell } = useTranslation('shell')
  const client = useQueryClient()
  const failureText = useFailureText()
  const [isBusy, work] = useTransition()
  const { id, email, role, status } = invitation
  const run = (change: () => Promise<unknown>, said: string) =>
    work(async () => {
      try {
        await change()
        toast(said, { kind: 'success' })
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
      await client.invalidateQueries({ queryKey: keyFor(org.slug, 'invitations.listSent') })
    })
  return (
    <li className="sent-row line">
      <span className="sent-who grow">
        <strong>{email}</strong>
        <span>
          {shell(`role.${effectiveRole(role)}`)} · {t(`invited.${status}`)}
        </span>
      </span>
      <button
        type="button"
        className="button button-quiet"
        disabled={isBusy}
        aria-label={t('invited.resendOf', { email })}
        onClick={() =>
          run(() => inviteMember(org.id, email, effectiveRole(role), { resend: true }), t('invited.resent', { email }))
        }
      >
        {t('invited.resend')}
      </button>
      <button
        type="button"
        className="button button-quiet"
        disabled={isBusy}
        aria-label={t('invited.cancelOf', { email })}
        onClick={() => run(() => cancelInvitation(id), t('invited.canceled', { email }))}
      >
        {t('invited.cancel')}
      </button>
    </li>
  )
}

/** Pending invitations. Nothing if there are none. */
export function SentInvitations({ org }: { org: InvitingOrg }) {
  const { t } = useTranslation('common')
  const { items } = useAnswer(sentQuery(org.slug))
  if (!items.length) return null
  return (
    <section aria-labelledby="invitations">
      <h2 className="sent-title" id="invitations">
        {t('invited.title')}
      </h2>
      <ul className="sent-list">
        {items.map(invitation => (
          <Invitation key={invitation.id} invitation={invitation} org={org} />
        ))}
      </ul>
    </section>
  )
}
