import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query'
import { useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import type { SentInvitation } from '#shared/invitations.ts'
import type { OrgSummary } from '#shared/orgs.ts'
import { paths } from '#shared/paths.ts'
import { orgRoles } from '#shared/permissions.ts'
import { isApiError } from '../api-error.ts'
import { cancelInvitation, inviteMember } from '../auth-api.ts'
import { queryFor } from '../queries.ts'
import { Field } from '../ui/field.tsx'
import { toast } from '../ui/toasts.tsx'
import { useFailureText } from '../use-api.ts'
import { Choice } from './choice.tsx'

export const sentQuery = (slug: string) => queryFor(slug, 'invitations.listSent', {})

const looksLikeEmail = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)
/** One owner begins; who else is to own it is decided among members. */
const offered = orgRoles.filter(role => role !== 'owner')

function Sent({ invitation, onCancel }: { invitation: SentInvitation; onCancel(): Promise<void> }) {
  const { t } = useTranslation('orgs')
  const [isBusy, work] = useTransition()
  return (
    <li className="sent-row">
      <span className="sent-who">
        <strong>{invitation.email}</strong>
        <span>
          {t(`role.${invitation.role as 'member'}`)} ·{' '}
          {t(invitation.status === 'expired' ? 'team.expired' : 'team.pending')}
        </span>
      </span>
      <button
        type="button"
        className="link"
        disabled={isBusy}
        aria-label={t('team.cancelOf', { email: invitation.email })}
        onClick={() => work(onCancel)}
      >
        {t('team.cancel')}
      </button>
    </li>
  )
}

/** Who else works here: an invitation by mail each, and what became of those that were sent. */
export function TeamStep({ org }: { org: OrgSummary }) {
  const { t } = useTranslation('orgs')
  const client = useQueryClient()
  const failureText = useFailureText()
  const { data } = useSuspenseQuery(sentQuery(org.slug))
  const [emails, setEmails] = useState('')
  const [role, setRole] = useState<(typeof offered)[number]>('member')
  const [fault, setFault] = useState<string>()
  const [isSending, send] = useTransition()
  const input = useRef<HTMLInputElement>(null)
  const refresh = () => client.fetchQuery({ ...sentQuery(org.slug), staleTime: 0 })

  const submit = () =>
    send(async () => {
      const wanted = [...new Set(emails.split(/[\s,;]+/).filter(Boolean))]
      const wrong = wanted.find(email => !looksLikeEmail(email))
      if (!wanted.length || wrong) return setFault(t('team.emailInvalid', { email: wrong ?? '' }))
      const left = [...wanted]
      try {
        for (const email of wanted) {
          await inviteMember(org.id, email, role)
          left.shift()
        }
      } catch (error) {
        // The invitation is kept, so its address is not tried again by itself.
        if (isApiError(error) && error.code === 'AUTH_INVITATION_NOT_MAILED') left.shift()
        setFault(
          left.length > 1 || wanted.length > 1
            ? `${left[0] ?? wanted.at(-1)}: ${failureText(error)}`
            : failureText(error),
        )
      }
      const sent = wanted.length - left.length
      setEmails(left.join(', '))
      if (sent) toast(t('team.sent', { count: sent }), { kind: 'success' })
      await refresh()
      input.current?.focus()
    })
  const cancel = async (id: string) => {
    try {
      await cancelInvitation(id)
    } catch (error) {
      toast(failureText(error), { kind: 'error' })
    }
    await refresh()
  }

  return (
    <div className="stack">
      <div>
        <h1>{t('team.title')}</h1>
        <p className="lead">{t('team.text', { org: org.name })}</p>
      </div>
      <form className="stack" noValidate action={submit}>
        <Field
          ref={input}
          label={t('team.email')}
          hint={t('team.emailHint')}
          name="email"
          type="text"
          inputMode="email"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={2000}
          value={emails}
          fault={fault}
          onChange={({ target }) => {
            setEmails(target.value)
            setFault(undefined)
          }}
        />
        <Choice
          label={t('team.role')}
          hint={t(`roleText.${role}`)}
          name="role"
          options={offered.map(value => ({ value, label: t(`role.${value}`) }))}
          value={role}
          onChange={({ target }) => setRole(target.value as typeof role)}
        />
        <button type="submit" className="button button-wide" disabled={isSending}>
          {isSending ? t('team.sending') : t('team.send')}
        </button>
      </form>
      {data.items.length ? (
        <section aria-labelledby="sent-title">
          <h2 className="section-title" id="sent-title">
            {t('team.sentTitle')}
          </h2>
          <ul className="org-list">
            {data.items.map(invitation => (
              <Sent key={invitation.id} invitation={invitation} onCancel={() => cancel(invitation.id)} />
            ))}
          </ul>
        </section>
      ) : null}
      <a className="button button-primary button-wide" href={paths.chats(org.slug)}>
        {t('team.done')}
      </a>
    </div>
  )
}
