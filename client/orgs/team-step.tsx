import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { isApiError } from '#client/app/calls/api-error.ts'
import { inviteMember } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { orgRoles } from '#shared/kernel/permissions.ts'
import type { OrgSummary } from '#shared/orgs/api.ts'
import { Choice } from './choice.tsx'
import { sentQuery } from './queries.ts'
import { SentInvitations } from './sent-invitations.tsx'

/** Addresses with any separators, without duplicates, ignoring case. */
const emailsIn = (typed: string): string[] => [
  ...new Map(typed.split(/[\s,;]+/).flatMap(email => (email ? [[email.toLowerCase(), email]] : []))).values(),
]
const looksLikeEmail = (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)
/** Further owners are appointed from members. */
const offered = orgRoles.filter(role => role !== 'owner')

/** Invites members by mail, and shows sent invitations. */
export function TeamStep({ org }: { org: OrgSummary }) {
  const { t } = useTranslation('orgs')
  const client = useQueryClient()
  const failureText = useFailureText()
  const [emails, setEmails] = useState('')
  const [role, setRole] = useState<(typeof offered)[number]>('member')
  const [fault, setFault] = useState<string>()
  const [isSending, send] = useTransition()
  const input = useRef<HTMLInputElement>(null)
  const refresh = () => client.fetchQuery({ ...sentQuery(org.slug), staleTime: 0 })

  const submit = () =>
    send(async () => {
      const wanted = emailsIn(emails)
      const wrong = wanted.find(email => !looksLikeEmail(email))
      if (!wanted.length || wrong) return setFault(t('team.emailInvalid', { email: wrong ?? '' }))
      const left = [...wanted]
      try {
        for (const email of wanted) {
          await inviteMember(org.id, email, role)
          left.shift()
        }
      } catch (error) {
        // The invitation is stored, so its address is not retried.
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
      <SentInvitations org={org} />
      <a className="button button-primary button-wide" href={paths.chats(org.slug)}>
        {t('team.done')}
      </a>
    </div>
  )
}
