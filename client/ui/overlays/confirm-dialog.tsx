import { type ReactNode, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { Fault } from '../controls/field.tsx'
import { Modal } from './mui-dialog.tsx'

interface ConfirmDialogProps {
  readonly title: string
  /** The consequences, one sentence each. */
  readonly says: readonly string[]
  readonly confirm: string
  /**
   * The label of the button that changes nothing. Default: `Cancelar`; set it where that could mean the action
   * itself.
   */
  readonly back?: string
  /** `primary`: nothing is deleted or ended. Default: `danger`. */
  readonly tone?: 'danger' | 'primary'
  /** Choices before the buttons. */
  readonly children?: ReactNode
  /** The dialog closes afterwards. If it throws, the error is shown and the dialog stays open. */
  run(): Promise<void>
  onClose(): void
}

/** Asks before something that cannot be undone. */
export function ConfirmDialog({
  title,
  says,
  confirm,
  back,
  tone = 'danger',
  children,
  run,
  onClose,
}: ConfirmDialogProps) {
  const { t: common } = useTranslation()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const go = () =>
    work(async () => {
      setFailure(undefined)
      try {
        await run()
      } catch (error) {
        return setFailure(failureText(error))
      }
      onClose()
    })
  return (
    <Modal title={title} onClose={onClose}>
      {says.length === 1 ? (
        <p className="lead">{says}</p>
      ) : (
        <ul className="consequences">
          {says.map(one => (
            <li key={one}>{one}</li>
          ))}
        </ul>
      )}
      {children}
      {failure ? <Fault>{failure}</Fault> : null}
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {back ?? common('cancel')}
        </button>
        <button
          type="button"
          className={`button button-${tone}`}
          aria-disabled={isWorking}
          onClick={() => isWorking || go()}
        >
          {confirm}
        </button>
      </div>
    </Modal>
  )
}
