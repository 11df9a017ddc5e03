import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Contact } from '#shared/contacts/chat-contact.ts'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { longDate } from '#shared/kernel/time.ts'
import { contactQuery } from '../queries.ts'

interface ContactBlockProps {
  readonly org: string
  readonly phone: string
  readonly block: NonNullable<Contact['block']>
}

/** Says that a contact is blocked, by whom and since when. Owners and administrators can unblock. */
export function ContactBlock({ org, phone, block }: ContactBlockProps) {
  const { t, i18n } = useTranslation('inbox')
  const { timeZone } = useMoment()
  const { role } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const unblock = () =>
    work(async () => {
      setFailure(undefined)
      try {
        await api.contacts.unblockContact({ params: { phone } })
        toast(t('contact.unblocked'), { kind: 'success' })
        await client.invalidateQueries({ queryKey: contactQuery(org, phone).queryKey })
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const when = longDate(block.at, i18n.language as Language, timeZone)
  return (
    <>
      <div>
        <span className="chip chip-red">{t('contact.blockedChip')}</span>
      </div>
      <p>{t('contact.blockedBy', { when, name: block.by })}</p>
      {failure ? <Fault>{failure}</Fault> : null}
      {roleCan(effectiveRole(role), 'member:manage') ? (
        <div>
          <button type="button" className="button" aria-disabled={isWorking} onClick={() => isWorking || unblock()}>
            {t('contact.unblock')}
          </button>
        </div>
      ) : null}
    </>
  )
}
