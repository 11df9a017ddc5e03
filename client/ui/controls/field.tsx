import { type ComponentProps, type ReactNode, useId } from 'react'
import { Icon } from '#client/ui/pictures/icon.tsx'

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly label: string
  readonly hint?: ReactNode
  /** What is wrong with it, in the reader's language. */
  readonly fault?: string
}

/** A labelled input whose hint and fault are read out with it. */
export function Field({ label, hint, fault, ...input }: FieldProps) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <input
        id={id}
        dir={input.type === undefined || input.type === 'text' ? 'auto' : undefined}
        aria-invalid={Boolean(fault)}
        aria-describedby={described || undefined}
        {...input}
      />
      {hint ? (
        <div id={`${id}-hint`} className="field-hint">
          {hint}
        </div>
      ) : null}
      {fault ? <Fault id={`${id}-fault`}>{fault}</Fault> : null}
    </div>
  )
}

export const Fault = ({ id, children }: { id?: string; children: ReactNode }) => (
  <div id={id} className="field-error" role="alert">
    <Icon name="warn" />
    <span>{children}</span>
  </div>
)
