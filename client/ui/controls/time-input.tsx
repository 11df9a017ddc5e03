import { useTranslation } from 'react-i18next'
import { readTypedClock } from '../text/typed-time.ts'
import { type InputAttributes, TypedInput } from './typed-input.tsx'

const stepMinutes = 15
const dayMinutes = 1440

/** The next or previous quarter of an hour. */
const step = (time: string, by: 1 | -1): string => {
  const [hours = 0, minutes = 0] = time ? time.split(':').map(Number) : [9, -by * stepMinutes]
  const at = hours * 60 + minutes
  const next = by > 0 ? Math.floor(at / stepMinutes) + 1 : Math.ceil(at / stepMinutes) - 1
  const wrapped = (next * stepMinutes + dayMinutes) % dayMinutes
  return [Math.floor(wrapped / 60), wrapped % 60].map(part => String(part).padStart(2, '0')).join(':')
}

interface TimeInputProps extends InputAttributes {
  /** `09:30`; empty: none. */
  readonly value: string
  readonly isLive?: boolean
  onChange(time: string): void
}

/** A time of day, always with 24 hours. `9` and `930` are times, too; the arrow keys go by quarters of an hour. */
export function TimeInput({ value, onChange, ...input }: TimeInputProps) {
  const { t } = useTranslation('common')
  return (
    <span className="typed typed-time">
      <TypedInput
        inputMode="numeric"
        placeholder="--:--"
        {...input}
        value={value}
        shown={value}
        read={readTypedClock}
        unread={text => t('typed.noTime', { text })}
        step={step}
        onChange={onChange}
      />
    </span>
  )
}
