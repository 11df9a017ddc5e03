import { type ComponentProps, type ReactNode, useEffect, useId, useRef, useState } from 'react'

interface Option {
  readonly value: string
  readonly label: string
}

interface ChoiceProps extends Omit<ComponentProps<'select'>, 'id'> {
  readonly label: string
  readonly hint?: ReactNode
  readonly options: readonly Option[]
}

/** A labelled select. */
export function Choice({ label, hint, options, ...select }: ChoiceProps) {
  const id = useId()
  const field = useRef<HTMLSelectElement>(null)
  // React resets a form after its action, so the default must be the chosen option.
  useEffect(() => {
    for (const option of field.current?.options ?? []) option.defaultSelected = option.value === select.value
  })
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select ref={field} id={id} aria-describedby={hint ? `${id}-hint` : undefined} {...select}>
        {options.map(({ value, label }) => (
          // Country names come from the runtime, and may differ from the server's.
          <option key={value} value={value} suppressHydrationWarning dir="auto">
            {label}
          </option>
        ))}
      </select>
      {hint ? (
        <div id={`${id}-hint`} className="field-hint">
          {hint}
        </div>
      ) : null}
    </div>
  )
}

/** A long list: the server renders only the chosen option, and hydration adds the rest. */
export const useLongOptions = (chosen: string, labelOf: (value: string) => string, all: () => readonly string[]) => {
  const [values, setValues] = useState<readonly string[]>([])
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list never changes
  useEffect(() => setValues(all()), [])
  const shown = values.includes(chosen) ? values : [chosen, ...values]
  return shown.map(value => ({ value, label: labelOf(value) })).sort((a, b) => a.label.localeCompare(b.label))
}
