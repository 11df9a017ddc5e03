import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { queryFor } from '#client/app/queries.ts'
import { useApi, useFailureText } from '#client/app/use-api.ts'
import { seeMerged } from '#client/inbox/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Contact } from '#shared/contacts/api.ts'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { longDate } from '#shared/kernel/time.ts'

const MergeDialog = lazyDialog(() => import('./merge-dialog.tsx'))

interface ContactMergeProps {
  readonly org: string
  readonly phone: string
  readonly contact: Contact
}

/** Merges contacts and undoes merges. For owners and administrators. */
function Merges({ org, phone, contact }: ContactMergeProps) {
  const { t, i18n } = useTranslation('inbox')
  const { timeZone } = useMoment()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { data } = useQuery({
    ...queryFor(org, 'contactMerges.listMerges', { params: { phone } }),
    refetchOnMount: 'always',
  })
  const [isAsking, setAsking] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const dayOf = (at: string) => longDate(at, i18n.language as Language, timeZone)
  const part = (id: string) =>
    work(async () => {
      setFailure(undefined)
      try {
        await api.contactMerges.undoMerge({ params: { id } })
        toast(t('merge.undone'), { kind: 'success' })
        await seeMerged(client, org)
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <section className="contact-part">
      <h3>{t('merge.title')}</h3>
      <p>{t('merge.text')}</p>
      {data?.items.map(({ id, name, by, at, undoUntil }) => (
        <div key={id}>
          <p>{t('merge.merged', { name, by, when: dayOf(at), until: dayOf(undoUntil) })}</p>
          <button type="button" className="button" aria-disabled={isWorking} onClick={() => isWorking || part(id)}>
            {t('merge.part')}
          </button>
        </div>
      ))}
      {failure ? <Fault>{failure}</Fault> : null}
      <div>
        <button type="button" className="button" onClick={() => setAsking(true)}>
          {t('merge.open')}
        </button>
      </div>
      {isAsking ? <MergeDialog org={org} phone={phone} contact={contact} onClose={() => setAsking(false)} /> : null}
    </section>
  )
}

export function ContactMerge(props: ContactMergeProps) {
  const { role } = useOrg()
  return roleCan(effectiveRole(role), 'member:manage') ? <Merges {...props} /> : null
}
