import { useTranslation } from 'react-i18next'
import type { BulkSendCare } from '#shared/bulk-sends/care.ts'
import { newDraftSteps } from '#shared/bulk-sends/drafts.ts'
import { wholeWithin } from '../plan/care.ts'
import { NumberField } from '../plan/care-fields.tsx'

/** The fields' contents. */
export interface TypedCap {
  readonly isOn: boolean
  readonly sends: string
  readonly days: string
}

export const usualCap: TypedCap = newDraftSteps('').cap

const ranges = { sends: { min: 1, max: 100 }, days: { min: 1, max: 30 } } as const

/** Null: no cap. Undefined: a field is invalid. */
export const capOf = (typed: TypedCap): BulkSendCare['marketingCap'] | undefined => {
  if (!typed.isOn) return null
  const sends = wholeWithin(typed.sends, ranges.sends)
  const days = wholeWithin(typed.days, ranges.days)
  return sends && days ? { sends, days } : undefined
}

interface CapFieldsProps {
  readonly typed: TypedCap
  onChange(typed: TypedCap): void
}

/** The limit of marketing messages per person within some days. */
export function CapFields({ typed, onChange }: CapFieldsProps) {
  const { t } = useTranslation('bulk-sends')
  const field = (name: 'sends' | 'days') => (
    <NumberField
      label={t(`cap.${name}`)}
      value={typed[name]}
      range={ranges[name]}
      isFaulty={wholeWithin(typed[name], ranges[name]) === undefined}
      onChange={value => onChange({ ...typed, [name]: value })}
    />
  )
  return (
    <fieldset className="bulk-care">
      <label className="bulk-check">
        <input
          type="checkbox"
          checked={typed.isOn}
          onChange={({ target }) => onChange({ ...typed, isOn: target.checked })}
        />
        <span>{t('cap.on')}</span>
      </label>
      {typed.isOn ? (
        <>
          <div className="bulk-pair">
            {field('sends')}
            {field('days')}
          </div>
          <p className="field-hint">{t('cap.hint')}</p>
        </>
      ) : null}
    </fieldset>
  )
}
