import { type ReactNode, useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'

interface DialogFormProps {
  readonly children: ReactNode
  /** What sending it is called. */
  readonly confirm: ReactNode
  /** It takes something away. */
  readonly isDanger?: boolean
  /** What it needs is not there yet: it looks so, and who sends it nevertheless is told what is missing. */
  readonly isWaiting?: boolean
  /** While it is under way nothing is sent again. */
  readonly isWorking: boolean
  onSubmit(): void
  /** Absent where there is no way back. */
  readonly onCancel?: (() => void) | undefined
}

const typedIn = 'textarea, input:is(:not([type]), [type="text"], [type="email"], [type="tel"], [type="url"])'

/** Somebody who opened a form that begins with a text begins to type; elsewhere the dialog itself has the focus. */
const focusFirst = (form: HTMLFormElement | null) => {
  if (!form || form.contains(document.activeElement)) return
  const first = form.querySelector<HTMLElement>('input, select, textarea, button')
  if (first?.matches(typedIn)) first.focus()
}

/** What is filled in inside a dialog, and its two buttons. What is missing is said by the product, not by the browser. */
export function DialogForm({ children, confirm, isDanger, isWaiting, isWorking, onSubmit, onCancel }: DialogFormProps) {
  const { t } = useTranslation()
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => focusFirst(form.current), [])
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
