import { useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useFacts } from '#client/app/facts.ts'
import { shortDate, wallTime } from '#shared/kernel/time.ts'
import { Icon } from '../pictures/icon.tsx'
import { useClock } from '../text/moment.tsx'
import { readTypedDate } from '../text/typed-time.ts'
import { Labelled } from './field.tsx'
import { type InputAttributes, TypedInput } from './typed-input.tsx'

const isDate = (value: string): boolean => /^\d{4}-\d{2}-\d{2}$/.test(value) && !Number.isNaN(Date.parse(value))

interface DateInputProps extends InputAttributes {
  /** The field's label, which names the calendar's button. */
  readonly label: string
  /** `2026-11-30`; empty: none. */
  readonly value: string
  /** The first day that the calendar offers. */
  readonly min?: string | undefined
  /** The last day that the calendar offers. */
  readonly max?: string | undefined
  onChange(date: string): void
  /** Reads what a person typed, if other words than a date's mean something here. */
  read?(typed: string): string | undefined
}

/** A date as the page's language writes it, to be typed or chosen from the browser's calendar. */
export function DateInput({ label, value, min, max, className = '', onChange, read, ...input }: DateInputProps) {
  const { t } = useTranslation('common')
  const { language, timeZone } = useFacts()
  const clock = useClock()
  const calendar = useRef<HTMLInputElement>(null)
  const today = () => wallTime(clock(), timeZone).slice(0, 10)
  return (
    <span className="typed">
      <TypedInput
        placeholder={t('typed.dateForm')}
        {...input}
        className={`typed-text ${className}`}
        value={value}
        shown={isDate(value) ? shortDate(value, language, 'UTC') : value}
        read={typed => read?.(typed) ?? readTypedDate(typed, today())}
        unread={text => t('typed.noDate', { text })}
        onChange={onChange}
      />
      <button
        type="button"
        className="typed-pick"
        aria-label={t('typed.pick', { label })}
        data-tip={t('typed.pickTip')}
        onClick={() => calendar.current?.showPicker()}
      >
        <Icon name="calendar" />
      </button>
      {/* Only its calendar is used: the browser writes its text in the browser's language. */}
      <input
        ref={calendar}
        type="date"
        className="typed-calendar"
        tabIndex={-1}
        aria-hidden="true"
        value={isDate(value) ? value : ''}
        min={min}
        max={max}
        onChange={({ target }) => (target.value || !input.required ? onChange(target.value) : undefined)}
      />
    </span>
  )
}

interface DateFieldProps extends DateInputProps {
  readonly hint?: string
  readonly fault?: string | undefined
}

export const DateField = ({ hint, fault, ...input }: DateFieldProps) => (
  <Labelled label={input.label} hint={hint} fault={fault}>
    {control => <DateInput {...control} {...input} />}
  </Labelled>
)
