import { useTranslation } from 'react-i18next'
import { type BulkSendCare, careDefaults, maxRecipients, usualHours } from '#shared/bulk-sends.ts'
import { Fault, Field } from '../ui/field.tsx'

/** As it stands in the fields. */
export interface TypedCare {
  readonly hasCanary: boolean
  readonly people: string
  readonly waitMinutes: string
  readonly hasHours: boolean
  readonly from: string
  readonly to: string
  /** Empty: it does not stop for it. */
  readonly failedPercent: string
  readonly optedOutPercent: string
}

export const usualCare: TypedCare = {
  hasCanary: false,
  people: String(careDefaults.canary.people),
  waitMinutes: String(careDefaults.canary.waitMinutes),
  hasHours: false,
  from: String(usualHours.from),
  to: String(usualHours.to),
  failedPercent: String(careDefaults.failedPercent),
  optedOutPercent: String(careDefaults.optedOutPercent),
}

const ranges = {
  people: { min: 1, max: maxRecipients },
  waitMinutes: { min: 1, max: 1440 },
  from: { min: 0, max: 23 },
  to: { min: 1, max: 24 },
  failedPercent: { min: 1, max: 100 },
  optedOutPercent: { min: 1, max: 100 },
} as const
type Name = keyof typeof ranges
const mayBeEmpty = (name: Name) => name === 'failedPercent' || name === 'optedOutPercent'

export interface Range {
  readonly min: number
  readonly max: number
}

/** The whole number in a field; undefined: none within the range. */
export const wholeWithin = (typed: string, { min, max }: Range): number | undefined => {
  const value = /^\d{1,6}$/.test(typed.trim()) ? Number(typed) : Number.NaN
  return value >= min && value <= max ? value : undefined
}

const typedValue = (typed: TypedCare, name: Name): number | null | undefined =>
  mayBeEmpty(name) && !typed[name].trim() ? null : wholeWithin(typed[name], ranges[name])

/** Whether the window begins before it ends. */
const areHours = (typed: TypedCare): boolean => {
  const [from, to] = [typedValue(typed, 'from'), typedValue(typed, 'to')]
  return typeof from === 'number' && typeof to === 'number' && from < to
}

/** What the send is made with; undefined: a field says something else than a number it takes. */
export const careOf = (typed: TypedCare): Pick<BulkSendCare, 'canary' | 'hours' | 'limits'> | undefined => {
  const failedPercent = typedValue(typed, 'failedPercent')
  const optedOutPercent = typedValue(typed, 'optedOutPercent')
  const people = typedValue(typed, 'people')
  const waitMinutes = typedValue(typed, 'waitMinutes')
  if (failedPercent === undefined || optedOutPercent === undefined) return undefined
  const limits = { failedPercent, optedOutPercent }
  if (typed.hasHours && !areHours(typed)) return undefined
  const hours = typed.hasHours ? { from: Number(typed.from), to: Number(typed.to) } : null
  if (!typed.hasCanary) return { canary: null, hours, limits }
  return people && waitMinutes ? { canary: { people, waitMinutes }, hours, limits } : undefined
}

interface NumberFieldProps {
  readonly label: string
  readonly hint?: string
  readonly value: string
  readonly range: Range
  readonly isFaulty: boolean
  onChange(value: string): void
}

export function NumberField({ range, isFaulty, onChange, ...field }: NumberFieldProps) {
  const { t } = useTranslation('bulk')
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
  onChange(typed: TypedCare): void
}

/** Whether a few get it first, at which hours each does, and at what the send stops by itself. */
export function CareFields({ typed, onChange }: CareFieldsProps) {
  const { t } = useTranslation('bulk')
  const field = (name: Name, label: string, hint?: string) => (
    <NumberField
      label={label}
      {...(hint ? { hint } : {})}
      value={typed[name]}
      range={ranges[name]}
      isFaulty={typedValue(typed, name) === undefined}
      onChange={value => onChange({ ...typed, [name]: value })}
    />
  )
  return (
    <fieldset className="bulk-care">
      <legend>{t('care.title')}</legend>
      <label className="bulk-check">
        <input
          type="checkbox"
          checked={typed.hasCanary}
          onChange={({ target }) => onChange({ ...typed, hasCanary: target.checked })}
        />
        <span>{t('care.canary')}</span>
      </label>
      {typed.hasCanary ? (
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
