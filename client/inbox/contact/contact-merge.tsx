import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { queryFor } from '#client/app/queries/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Language } from '#shared/kernel/language.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { longDate } from '#shared/kernel/time.ts'
import { seeMerged } from '../queries.ts'

interface ContactMergeProps {
  readonly org: string
  readonly phone: string
}

/** The contacts that were merged into this one, as long as they can be separated. */
function Merges({ org, phone }: ContactMergeProps) {
  const { t, i18n } = useTranslation('inbox')
  const { timeZone } = useMoment()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { data } = useQuery({
    ...queryFor(org, 'contactMerges.listMerges', { params: { phone } }),
    refetchOnMount: 'always',
  })
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
  if (!data?.items.length && !failure) return null
  return (
    <section className="contact-part" aria-label={t('merge.title')}>
      <h3>{t('merge.title')}</h3>
      {data?.items.map(({ id, name, by, at, undoUntil }) => (
        <div key={id} className="stack-m">
          <p>{t('merge.merged', { name, by, when: dayOf(at), until: dayOf(undoUntil) })}</p>
          <button type="button" className="button" aria-disabled={isWorking} onClick={() => isWorking || part(id)}>
            {t('merge.part')}
          </button>
        </div>
      ))}
      {failure ? <Fault>{failure}</Fault> : null}
    </section>
  )
}

/** Shown to owners and administrators. */
export function ContactMerge(props: ContactMergeProps) {
  const { role } = useOrg()
  return roleCan(effectiveRole(role), 'member:manage') ? <Merges {...props} /> : null
}
