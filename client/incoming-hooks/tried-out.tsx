import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'

export interface Tried {
  readonly works: boolean
  readonly says: string
  readonly values: readonly { readonly field: string; readonly value: string }[]
}

/** The result of a trial: what would have been done, and with which values. */
export function TriedOut({ tried: { works, says, values } }: { readonly tried: Tried }) {
  const { t } = useTranslation('integrations')
  return (
    <div className="stack">
      {works ? (
        <div className="notice notice-good">
          <p role="status">{t('incoming.would', { says })}</p>
        </div>
      ) : (
        <Fault>{says}</Fault>
      )}
      {values.length ? (
        <dl className="hook-values">
          {values.map(({ field, value }) => (
            <div key={field}>
              <dt>{field}</dt>
              <dd dir="auto">{value}</dd>
            </div>
          ))}
        </dl>
      ) : null}
    </div>
  )
}
