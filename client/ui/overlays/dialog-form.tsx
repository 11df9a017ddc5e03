import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

interface DialogFormProps {
  readonly children: ReactNode
  /** The label of the submit button. */
  readonly confirm: ReactNode
  /** It deletes something. */
  readonly isDanger?: boolean
  /** Something required is missing: the button looks disabled, and submitting says what is missing. */
  readonly isWaiting?: boolean
  /** While it is being submitted, it is not submitted again. */
  readonly isWorking: boolean
  onSubmit(): void
  /** Absent: it is part of a page, which keeps the focus where it is. */
  readonly onCancel?: (() => void) | undefined
}

const typedIn = 'textarea, input:is(:not([type]), [type="text"], [type="email"], [type="tel"], [type="url"])'

/** If the form begins with a text field, that gets the focus; otherwise the dialog keeps it. */
const focusFirst = (form: HTMLFormElement | null) => {
  if (!form || form.contains(document.activeElement)) return
  const first = form.querySelector<HTMLElement>('input, select, textarea, button')
  if (first?.matches(typedIn)) first.focus()
}

/** A form inside a dialog, with its two buttons. The product says what is missing, not the browser. */
export function DialogForm({ children, confirm, isDanger, isWaiting, isWorking, onSubmit, onCancel }: DialogFormProps) {
  const { t } = useTranslation()
  const form = useRef<HTMLFormElement>(null)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once, when it opens
  useEffect(() => {
    if (onCancel) focusFirst(form.current)
  }, [])
  return (
    <form
      ref={form}
      className="stack"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (!isWorking) onSubmit()
      }}
    >
      {children}
      <div className="dialog-buttons">
        {onCancel ? (
          <button type="button" className="button" onClick={onCancel}>
            {t('cancel')}
          </button>
        ) : null}
        <button
          type="submit"
          className={`button ${isDanger ? 'button-danger' : 'button-primary'}`}
          aria-disabled={isWorking || isWaiting}
        >
          {confirm}
        </button>
      </div>
    </form>
  )
}
