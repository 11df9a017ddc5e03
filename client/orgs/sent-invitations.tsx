import { useAnswer } from '#client/app/queries/use-answer.ts'
import './sent-invitations.css'
import { useQueryClient } from '@tanstack/react-query'
import { useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { cancelInvitation, inviteMember } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useFacts } from '#client/app/facts.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { copyText } from '#client/ui/controls/copy-button.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { toLanguage } from '#shared/kernel/language.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole } from '#shared/kernel/permissions.ts'
import { shortDate } from '#shared/kernel/time.ts'
import type { SentInvitation } from '#shared/orgs/invitations.ts'
import { sentQuery } from './queries.ts'

interface InvitingOrg {
  readonly id: string
  readonly slug: string
}

function Invitation({ invitation, org }: { invitation: SentInvitation; org: InvitingOrg }) {
  const { t, i18n } = useTranslation('common')
  const { t: shell } = useTranslation('shell')
  const { timeZone } = useFacts()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [isBusy, work] = useTransition()
  const { id, email, role, status, expiresAt } = invitation
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
        <span suppressHydrationWarning>
          {shell(`role.${effectiveRole(role)}`)} · {t(`invited.${status}`)}
          {status === 'pending'
            ? `, ${t('invited.until', { when: shortDate(expiresAt, toLanguage(i18n.language) ?? 'es', timeZone) })}`
            : null}
        </span>
      </span>
      <span className="sent-actions wrap">
        {status === 'pending' ? (
          <button
            type="button"
            className="button button-quiet"
            aria-label={t('invited.linkOf', { email })}
            onClick={() =>
              void copyText(location.origin + paths.invitation(org.slug, id), {
                done: t('invited.linkCopied', { email }),
                failed: t('invited.linkNotCopied'),
              })
            }
          >
            {t('invited.link')}
          </button>
        ) : null}
        <button
          type="button"
          className="button button-quiet"
          disabled={isBusy}
          aria-label={t('invited.resendOf', { email })}
          onClick={() =>
            run(
              () => inviteMember(org.id, email, effectiveRole(role), { resend: true }),
              t('invited.resent', { email }),
            )
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
      </span>
    </li>
  )
}

/** Pending invitations. Nothing if there are none. */
export function SentInvitations({ org }: { org: InvitingOrg }) {
  const { t } = useTranslation('common')
  const { items, hasMailServer } = useAnswer(sentQuery(org.slug))
  if (!items.length) return null
  return (
    <section aria-labelledby="invitations">
      <h2 className="sent-title" id="invitations">
        {t('invited.title')}
      </h2>
      {hasMailServer ? null : <p className="notice notice-warn">{t('invited.noServer')}</p>}
      <ul className="sent-list">
        {items.map(invitation => (
          <Invitation key={invitation.id} invitation={invitation} org={org} />
        ))}
      </ul>
    </section>
  )
}
