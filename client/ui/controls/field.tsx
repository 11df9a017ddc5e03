import { type ComponentProps, type ReactNode, useId } from 'react'
import { Icon } from '../pictures/icon.tsx'

interface LabelledProps {
  readonly label: string
  readonly hint?: ReactNode
  /** The error text, in the reader's language. */
  readonly fault?: string | undefined
  /** Renders the control with these attributes. */
  children(control: { id: string; 'aria-invalid': boolean; 'aria-describedby': string | undefined }): ReactNode
}

/** A control with its label. Screen readers read the hint and the error with it. */
export function Labelled({ label, hint, fault, children }: LabelledProps) {
  const id = useId()
  const described = [hint ? `${id}-hint` : '', fault ? `${id}-fault` : ''].filter(Boolean).join(' ')
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({ id, 'aria-invalid': Boolean(fault), 'aria-describedby': described || undefined })}
      {hint ? (
        <div id={`${id}-hint`} className="field-hint">
          {hint}
        </div>
      ) : null}
      {fault ? <Fault id={`${id}-fault`}>{fault}</Fault> : null}
    </div>
  )
}

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'>, Omit<LabelledProps, 'children'> {}

export const Field = ({ label, hint, fault, ...input }: FieldProps) => (
  <Labelled label={label} hint={hint} fault={fault}>
    {control => (
      <input {...control} dir={input.type === undefined || input.type === 'text' ? 'auto' : undefined} {...input} />
    )}
  </Labelled>
)

interface AreaFieldProps extends Omit<ComponentProps<'textarea'>, 'id'>, Omit<LabelledProps, 'children'> {}

/** A field of several lines. */
export const AreaField = ({ label, hint, fault, ...area }: AreaFieldProps) => (
  <Labelled label={label} hint={hint} fault={fault}>
    {control => <textarea {...control} dir="auto" {...area} />}
  </Labelled>
)

export const Fault = ({ id, children }: { id?: string; children: ReactNode }) => (
  <div id={id} className="field-error" role="alert">
    <Icon name="warn" />
    <span>{children}</span>
  </div>
)
