import type { ReactNode } from 'react'
import { Fault, Labelled } from '#client/ui/controls/field.tsx'
import { characterCount } from '#shared/templates/variables.ts'
import { useFault } from './faults.tsx'

interface CountedFieldProps {
  readonly label: string
  /** Field name of its fault: `FOOTER.text`. */
  readonly field: string
  readonly value: string
  /** Meta's limit in characters, counted while typing. */
  readonly max?: number
  readonly hint?: ReactNode
  readonly placeholder?: string
  readonly inputMode?: 'text' | 'url' | 'tel' | 'numeric'
  readonly readOnly?: boolean
  /** Text without natural language: names, codes, addresses. */
  readonly isCode?: boolean
  readonly suffix?: ReactNode
  onChange(value: string): void
}

/** One line with limit, fault and hint. */
export function CountedField({
  label,
  field,
  value,
  max,
  hint,
  isCode,
  suffix,
  onChange,
  ...input
}: CountedFieldProps) {
  const fault = useFault(field)
  const length = characterCount(value)
  return (
    <Labelled label={label} hint={hint} fault={fault}>
      {control => (
        <div className="form-counted line" data-counts={max !== undefined}>
          <input
            {...control}
            data-field={field}
            value={value}
            autoComplete="off"
            dir={isCode ? 'ltr' : 'auto'}
            spellCheck={isCode ? false : undefined}
            autoCapitalize={isCode ? 'none' : undefined}
            onChange={({ target }) => onChange(target.value)}
            {...input}
          />
          {max === undefined ? null : (
            <small aria-hidden="true" data-over={length > max}>
              {length}/{max}
            </small>
          )}
          {suffix}
        </div>
      )}
    </Labelled>
  )
}

/** A fault of a list or group. */
export function GroupFault({ field }: { field: string }) {
  const fault = useFault(field)
  return fault ? (
    <div data-field={field} tabIndex={-1}>
      <Fault>{fault}</Fault>
    </div>
  ) : null
}
