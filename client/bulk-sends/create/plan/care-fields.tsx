import { useTranslation } from 'react-i18next'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { areHours, type CareName, type Range, rangeOf, type TypedCare, typedValue, withCanary } from './care.ts'

interface NumberFieldProps {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly range: Range
  readonly isFaulty: boolean
  onChange(value: string): void
}

export function NumberField({ range, isFaulty, onChange, ...field }: NumberFieldProps) {
  const { t } = useTranslation('bulk-sends')
  return (
    <Field
      {...field}
      inputMode="numeric"
      autoComplete="off"
      maxLength={6}
      {...(isFaulty ? { fault: t('care.range', { min: range.min, max: range.max }) } : {})}
      onChange={({ target }) => onChange(target.value)}
    />
  )
}

interface CareFieldsProps {
  readonly typed: TypedCare
  /** Number of planned recipients. */
  readonly planned: number
  onChange(typed: TypedCare): void
}

/** Canary, hours, and the limits at which the send stops. */
export function CareFields({ typed, planned, onChange }: CareFieldsProps) {
  const { t } = useTranslation('bulk-sends')
  const field = (name: CareName, label: string, hint?: string) => (
    <NumberField
      label={label}
      {...(hint ? { hint } : {})}
      value={typed[name]}
      range={rangeOf(name, planned)}
      isFaulty={typedValue(typed, name, planned) === undefined}
      onChange={value => onChange({ ...typed, [name]: value })}
    />
  )
  return (
    <fieldset className="bulk-care">
      <legend>{t('care.title')}</legend>
      {planned < 2 ? null : (
        <label className="bulk-check">
          <input
            type="checkbox"
            checked={typed.hasCanary}
            onChange={({ target }) => onChange(withCanary(typed, target.checked, planned))}
          />
          <span>{t('care.canary')}</span>
        </label>
      )}
      {typed.hasCanary && planned > 1 ? (
        <>
          <div className="bulk-pair">
            {field('people', t('care.people'))}
            {field('waitMinutes', t('care.wait'))}
          </div>
          <p className="field-hint">{t('care.canaryHint')}</p>
        </>
      ) : null}
      <label className="bulk-check">
        <input
          type="checkbox"
          checked={typed.hasHours}
          onChange={({ target }) => onChange({ ...typed, hasHours: target.checked })}
        />
        <span>{t('care.hours')}</span>
      </label>
      {typed.hasHours ? (
        <>
          <div className="bulk-pair">
            {field('from', t('care.hoursFrom'))}
            {field('to', t('care.hoursTo'))}
          </div>
          {areHours(typed) ? null : <Fault>{t('care.hoursFault')}</Fault>}
          <p className="field-hint">{t('care.hoursHint')}</p>
        </>
      ) : null}
      <div className="bulk-pair">
        {field('failedPercent', t('care.failed'))}
        {field('optedOutPercent', t('care.optedOut'))}
      </div>
      <p className="field-hint">
        {t('care.limitHint')} {t('care.quality')}
      </p>
    </fieldset>
  )
}
