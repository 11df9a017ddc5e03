import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { waitUnitMs } from '#shared/flows/limits.ts'
import type { FlowsT } from '../words.ts'
import { SelectField } from './fields.tsx'

/** Minutes. */
const usual = [0, 5, 15, 30, 60, 120, 240, 720, 1440, 2880, 4320, 10_080, 43_200]

const durationText = (t: FlowsT, minutes: number): string => {
  if (minutes % 1440 === 0) return t('duration.days', { count: minutes / 1440 })
  if (minutes % 60 === 0) return t('duration.hours', { count: minutes / 60 })
  return t('duration.minutes', { count: minutes })
}

interface TimeoutFieldProps {
  /** Milliseconds; 0: none. */
  readonly value: number
  onChange(ms: number): void
}

/** The time without an answer after which the flow continues at the timeout output. */
export function TimeoutField({ value: ms, onChange }: TimeoutFieldProps) {
  const value = ms / waitUnitMs.minutes
  const { t } = useTranslation('flows')
  const options = useMemo(() => {
    const offered = usual.includes(value) ? usual : [...usual, value].sort((a, b) => a - b)
    return offered.map(minutes => (
      <option key={minutes} value={minutes} dir="auto">
        {minutes ? durationText(t, minutes) : t('field.noTimeout')}
      </option>
    ))
  }, [t, value])
  return (
    <SelectField
      label={t('field.timeout')}
      hint={t(value ? 'field.timeoutHint' : 'field.noTimeoutHint')}
      value={String(value)}
      onChange={minutes => onChange(Number(minutes) * waitUnitMs.minutes)}
    >
      {options}
    </SelectField>
  )
}
