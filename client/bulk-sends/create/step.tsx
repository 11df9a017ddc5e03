import { type ReactNode, type Ref, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icon } from '#client/ui/pictures/icon.tsx'

interface StepProps {
  readonly number: number
  readonly title: string
  /** The choice made in this step; before it, what the step is for. Shown while the step is closed. */
  readonly says: string
  readonly isOpen: boolean
  readonly isDone: boolean
  /** Undefined: an earlier step must be done first. */
  readonly onOpen: (() => void) | undefined
  readonly head: Ref<HTMLButtonElement>
  readonly children: ReactNode
}

/** One of the steps below one another. Its fields stay once it was opened, so that nothing typed is lost. */
export function Step({ number, title, says, isOpen, isDone, onOpen, head, children }: StepProps) {
  const { t } = useTranslation('bulk-sends')
  const id = useId()
  const [wasOpen, setWasOpen] = useState(isOpen)
  if (isOpen && !wasOpen) setWasOpen(true)
  return (
    <section className="bulk-step" aria-labelledby={`${id}-title`}>
      <h2>
        <button
          ref={isOpen ? head : null}
          type="button"
          className="bulk-step-head"
          aria-expanded={isOpen}
          aria-controls={id}
          aria-disabled={onOpen === undefined || undefined}
          onClick={() => onOpen?.()}
        >
          <span className="bulk-step-mark center" data-done={isDone || undefined} aria-hidden="true">
            {isDone && !isOpen ? <Icon name="tick" /> : number}
          </span>
          <span className="bulk-step-title" id={`${id}-title`}>
            {title}
          </span>
          {isOpen ? null : (
            <span className="bulk-step-says cut" dir="auto">
              {says}
            </span>
          )}
          {isOpen || !isDone ? null : (
            <span className="bulk-step-change" aria-hidden="true">
              {t('step.change')}
            </span>
          )}
        </button>
      </h2>
      <div id={id} className="bulk-step-body" hidden={!isOpen}>
        {isOpen || wasOpen ? children : null}
      </div>
    </section>
  )
}
