import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import type { SentInvitation } from '#shared/invitations.ts'
import { effectiveRole } from '#shared/permissions.ts'
import { cancelInvitation } from '../auth-api.ts'
import { keyFor, queryFor } from '../queries.ts'
import { useOrg } from '../shell/viewer.ts'
import { toast } from '../ui/toasts.tsx'
import { useFailureText } from '../use-api.ts'

const sentQuery = (org: string) => queryFor(org, 'invitations.listSent', {})

function Invitation({ invitation }: { invitation: SentInvitation }) {
  const { t } = useTranslation('admin')
  const { t: shell } = useTranslation('shell')
  const { slug } = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [isBusy, work] = useTransition()
  const { id, email, role, status } = invitation
  const cancel = () =>
    work(async () => {
      try {
        await cancelInvitation(id)
        toast(t('invite.canceled', { email }), { kind: 'success' })
      } catch (error) {
        toast(failureText(error), { kind: 'error' })
      }
      await client.invalidateQueries({ queryKey: keyFor(slug, 'invitations.listSent') })
    })
  return (
    <li className="admin-invitation">
      <span>
        {email}{' '}
        <span className="field-hint">
          {shell(`role.${effectiveRole(role)}`)} · {t(`invite.${status}`)}
        </span>
      </span>
      <button
        type="button"
        className="button button-quiet"
        disabled={isBusy}
        aria-label={t('invite.cancelOf', { email })}
        onClick={cancel}
      >
        {t('invite.cancel')}
      </button>
    </li>
  )
}

/** Who was asked in and has not come yet; nothing while there is nobody. */
export function Invitations() {
  const { t } = useTranslation('admin')
  const { slug } = useOrg()
  const { items } = useSuspenseQuery(sentQuery(slug)).data
  if (!items.length) return null
  return (
    <section aria-labelledby="invitations">
      <h3 className="section-title" id="invitations">
        {t('invite.sentTitle')}
      </h3>
      <ul className="admin-invitations">
        {items.map(invitation => (
          <Invitation key={invitation.id} invitation={invitation} />
        ))}
      </ul>
    </section>
  )
}
