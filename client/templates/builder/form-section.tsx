import { type ReactNode, useId } from 'react'

interface SectionProps {
  readonly title: string
  readonly hint?: string
  readonly children: ReactNode
}

/** A section of the form: title on the left, fields on the right. */
export function Section({ title, hint, children }: SectionProps) {
  const id = useId()
  return (
    <section className="form-section" aria-labelledby={id}>
      <div className="form-section-head">
        <h2 id={id}>{title}</h2>
        {hint ? <p>{hint}</p> : null}
      </div>
      <div className="form-section-fields stack-l">{children}</div>
    </section>
  )
}

interface OptionsProps<T extends string> {
  readonly label: string
  readonly value: T
  readonly options: readonly {
    readonly value: T
    readonly label: string
    readonly hint?: string
    readonly icon?: ReactNode
  }[]
  readonly className: string
  readonly disabled?: boolean
  onChoose(value: T): void
}

/** Radio buttons. */
export function Options<T extends string>({ label, value, options, className, disabled, onChoose }: OptionsProps<T>) {
  const name = useId()
  return (
    <fieldset className={className} disabled={disabled}>
      <legend className="sr-only">{label}</legend>
      {options.map(one => (
        <label key={one.value}>
          <input type="radio" name={name} checked={value === one.value} onChange={() => onChoose(one.value)} />
          {one.icon}
          <b dir="auto">{one.label}</b>
          {one.hint ? <span>{one.hint}</span> : null}
        </label>
      ))}
    </fieldset>
  )
}
