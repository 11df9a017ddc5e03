import { DateField } from '#client/ui/controls/date-input.tsx'
import { Field, Labelled } from '#client/ui/controls/field.tsx'
import { type ContactField, fieldValueMaxChars } from '#shared/contacts/fields.ts'

interface FieldInputProps {
  readonly field: ContactField
  readonly value: string
  /** The option of a choice that stands for no value. */
  readonly none: string
  readonly fault: string | undefined
  /** Shown in an empty field. */
  readonly placeholder?: string
  onChange(value: string): void
}

/** The control for a value of a custom field, by its kind. */
export function FieldInput({ field, value, none, fault, placeholder, onChange }: FieldInputProps) {
  if (field.kind === 'date')
    return (
      <DateField
        label={field.label}
        value={value}
        {...(placeholder ? { placeholder } : {})}
        fault={fault}
        onChange={onChange}
      />
    )
  if (field.kind !== 'choice')
    return (
      <Field
        label={field.label}
        inputMode={field.kind === 'number' ? 'decimal' : undefined}
        maxLength={fieldValueMaxChars}
        autoComplete="off"
        value={value}
        placeholder={placeholder}
        fault={fault}
        onChange={({ target }) => onChange(target.value)}
      />
    )
  // An option that was removed stays with contacts who have it.
  const isFormer = value !== '' && !field.options.includes(value)
  return (
    <Labelled label={field.label} fault={fault}>
      {control => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          <option value="" dir="auto">
            {none}
          </option>
          {[...(isFormer ? [value] : []), ...field.options].map(one => (
            <option key={one} value={one} dir="auto">
              {one}
            </option>
          ))}
        </select>
      )}
    </Labelled>
  )
}
