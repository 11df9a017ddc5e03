import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { keyFor } from '#client/app/queries.ts'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Contact } from '#shared/contacts/api.ts'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { longDate } from '#shared/kernel/time.ts'

const ConfirmDialog = lazyDialog(async () => ({
  default: (await import('#client/ui/overlays/confirm-dialog.tsx')).ConfirmDialog,
}))

interface ContactBlockProps {
  readonly org: string
  readonly phone: string
  readonly contact: Contact
}

/** Whether a contact is blocked. Owners and administrators can change it. */
export function ContactBlock({ org, phone, contact }: ContactBlockProps) {
  const { t, i18n } = useTranslation('inbox')
  const { timeZone } = useMoment()
  const { role } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const { block } = contact
  const mayBlock = roleCan(effectiveRole(role), 'member:manage')
  if (!block && !mayBlock) return null
  const seeAgain = async (said: string) => {
    toast(said, { kind: 'success' })
    await client.invalidateQueries({ queryKey: keyFor(org, 'contacts.getContact', { params: { phone } }) })
  }
  const unblock = () =>
    work(async () => {
      setFailure(undefined)
      try {
        await api.contacts.unblockContact({ params: { phone } })
        await seeAgain(t('contact.unblocked'))
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  const when = (at: string) => longDate(at, i18n.language as Language, timeZone)
  return (
    <section className="contact-part">
      <h3>{t('contact.block')}</h3>
      <p>{block ? t('contact.blockedBy', { when: when(block.at), name: block.by }) : t('contact.blockText')}</p>
      {failure ? <Fault>{failure}</Fault> : null}
      {mayBlock ? (
        <div>
          {block ? (
            <button type="button" className="button" aria-disabled={isWorking} onClick={() => isWorking || unblock()}>
              {t('contact.unblock')}
            </button>
          ) : (
            <button type="button" className="button button-danger" onClick={() => setAsking(true)}>
              {t('contact.blockOpen')}
            </button>
          )}
        </div>
      ) : null}
      {isAsking ? (
        <ConfirmDialog
          title={t('contact.blockAsk')}
          says={[t('contact.blockArchives'), t('contact.blockMutes'), t('contact.blockMeta'), t('contact.blockUndo')]}
          confirm={t('contact.blockConfirm')}
          run={async () => {
            await api.contacts.blockContact({ params: { phone } })
            await seeAgain(t('contact.blocked'))
          }}
          onClose={() => setAsking(false)}
        />
      ) : null}
    </section>
  )
}
