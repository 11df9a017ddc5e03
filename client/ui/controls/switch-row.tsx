import './switch-row.css'
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react'

interface SwitchRowProps {
  readonly label: string
  readonly hint: string
  readonly isOn: boolean
  readonly change: (isOn: boolean) => void
  readonly children?: ReactNode
}

/** A setting that is saved as soon as it is switched. */
export function SwitchRow({ label, hint, isOn, change, children }: SwitchRowProps) {
  const id = useId()
  const field = useRef<HTMLInputElement>(null)
  // It was switched before hydration: the browser shows it, but no handler ran.
  // biome-ignore lint/correctness/useExhaustiveDependencies: there is only one moment before
  useLayoutEffect(() => {
    const early = field.current?.checked
    if (early !== undefined && early !== isOn) change(early)
  }, [])
  return (
    <div className="switch-row">
      <div className="switch-row-text stack-s">
        <label htmlFor={id}>{label}</label>
        <p id={`${id}-hint`}>{hint}</p>
        {children}
      </div>
      <input
        ref={field}
        id={id}
        type="checkbox"
        role="switch"
        className="switch"
        checked={isOn}
        aria-checked={isOn}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => change(target.checked)}
      />
    </div>
  )
}
