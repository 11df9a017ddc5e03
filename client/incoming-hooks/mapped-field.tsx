import { useTranslation } from 'react-i18next'
import { Labelled } from '#client/ui/controls/field.tsx'
import { incomingLimits } from '#shared/incoming-hooks/api.ts'
import type { SampleField } from './sample.ts'

interface MappedFieldProps {
  readonly label: string
  readonly hint?: string
  readonly fault?: string | undefined
  readonly value: string
  readonly isLong?: boolean
  readonly fields: readonly SampleField[]
  onChange(value: string): void
}

/** A value of the action: typed, or chosen from the fields of the sample. */
export function MappedField({ label, hint, fault, value, isLong, fields, onChange }: MappedFieldProps) {
  const { t } = useTranslation('integrations')
  const insert = (path: string) => {
    const place = `{{${path}}}`
    onChange(isLong && value ? `${value} ${place}` : place)
  }
  return (
    <Labelled label={label} hint={hint} fault={fault}>
      {control => (
        <div className="hook-mapped">
          {isLong ? (
            <textarea
              {...control}
              dir="auto"
              rows={3}
              maxLength={incomingLimits.value}
              value={value}
              onChange={({ target }) => onChange(target.value)}
            />
          ) : (
            <input
              {...control}
              dir="auto"
              autoComplete="off"
              maxLength={incomingLimits.value}
              value={value}
              onChange={({ target }) => onChange(target.value)}
            />
          )}
          {fields.length ? (
            <select
              aria-label={t('incoming.fieldFor', { label })}
              value=""
              onChange={({ target }) => target.value && insert(target.value)}
            >
              <option value="">{t('incoming.choose')}</option>
              {fields.map(one => (
                <option key={one.path} value={one.path} dir="auto">
                  {`${one.path} · ${one.value.slice(0, 40)}`}
                </option>
              ))}
            </select>
          ) : null}
        </div>
      )}
    </Labelled>
  )
}
