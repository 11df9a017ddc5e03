import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useSuspensePages } from '#client/app/queries/use-paged-list.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { useWhen } from '#client/templates/words.tsx'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { sendsQuery } from '../queries.ts'

/** Recipients who got it and have not answered. */
const unansweredIn = ({ counts }: BulkSend): number => counts.sent + counts.delivered + counts.read

interface UnansweredFieldProps {
  /** Undefined: none. */
  readonly sendId: string | undefined
  onChange(sendId: string | undefined): void
}

/** Chooses a recent send whose recipients have not answered. Nothing if there is none. */
export function UnansweredField({ sendId, onChange }: UnansweredFieldProps) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const id = useId()
  const when = useWhen()
  const { data } = useSuspensePages(sendsQuery(slug))
  const sends = data.pages.flatMap(page => page.items).filter(send => unansweredIn(send) > 0)
  if (!sends.length) return null
  return (
    <div className="field">
      <label htmlFor={id}>{t('audience.unanswered')}</label>
      <select
        id={id}
        aria-describedby={`${id}-hint`}
        value={sendId ?? ''}
        onChange={({ target }) => onChange(target.value || undefined)}
      >
        <option value="">{t('audience.unansweredNone')}</option>
        {sends.map(send => (
          <option key={send.id} value={send.id} suppressHydrationWarning dir="auto">
            {`${send.template.name} · ${when(send.startedAt ?? send.createdAt)} · ${unansweredIn(send)}`}
          </option>
        ))}
      </select>
      <div id={`${id}-hint`} className="field-hint">
        {t('audience.unansweredHint')}
      </div>
    </div>
  )
}
