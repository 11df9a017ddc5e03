import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { useClock } from '../text/moment.tsx'
import { ownTimeZone } from '../text/own-time-zone.ts'
import { morning, readTypedTime } from '../text/typed-time.ts'
import { DateInput } from './date-input.tsx'
import { Labelled } from './field.tsx'
import { TimeInput } from './time-input.tsx'
import type { InputAttributes } from './typed-input.tsx'

interface MomentInputProps extends Omit<InputAttributes, 'inputMode' | 'placeholder' | 'required'> {
  readonly label: string
  /** `2026-11-30T09:30`, local time; empty: none. */
  readonly value: string
  /** The time zone of the value, for words such as `in 2 hours`. Absent: this device's. */
  readonly timeZone?: string
  /** The first time that can be chosen. The calendar offers its day. */
  readonly min?: string
  /** The last time that can be chosen. */
  readonly max?: string
  onChange(wall: string): void
}

/** A date and a time. The field of the date also reads both in words: `mañana 9`, `3/12 15:30`. */
export function MomentInput({ label, value, timeZone, min, max, onChange, ...input }: MomentInputProps) {
  const { t } = useTranslation('common')
  const clock = useClock()
  const [date = '', time = ''] = value.split('T')
  const read = (typed: string) => readTypedTime(typed, clock(), timeZone ?? ownTimeZone(), time || morning)
  return (
    <span className="typed-moment">
      <DateInput
        {...input}
        label={label}
        placeholder={t('typed.momentForm')}
        value={date}
        min={min?.slice(0, 10)}
        max={max?.slice(0, 10)}
        read={read}
        onChange={next => onChange(next === '' || next.includes('T') ? next : `${next}T${time || morning}`)}
      />
      <TimeInput
        aria-label={t('typed.time', { label })}
        aria-invalid={input['aria-invalid']}
        aria-describedby={input['aria-describedby']}
        readOnly={input.readOnly}
        required={date !== ''}
        value={time}
        onChange={next => onChange(date ? `${date}T${next}` : (read(next) ?? ''))}
      />
    </span>
  )
}

interface MomentFieldProps extends MomentInputProps {
  readonly hint?: ReactNode
  readonly fault?: string | undefined
}

export const MomentField = ({ hint, fault, ...input }: MomentFieldProps) => (
  <Labelled label={input.label} hint={hint} fault={fault}>
    {control => <MomentInput {...control} {...input} />}
  </Labelled>
)
