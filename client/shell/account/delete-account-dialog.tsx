import { useEffect, useRef, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { askToDeleteAccount } from '#client/app/calls/auth-api.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { useViewer } from '../viewer.ts'

/** Confirms deleting an account. It is deleted by a mailed link, so that an unlocked laptop is not enough. */
export default function DeleteAccountDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('shell')
  const { t: common } = useTranslation()
  const { user } = useViewer()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isSent, setSent] = useState(false)
  const [isAsking, ask] = useTransition()
  const confirm = () =>
    ask(async () => {
      setFailure(undefined)
      try {
        await askToDeleteAccount()
        setSent(true)
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  // The pressed button disappears with the question.
  const closer = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (isSent) closer.current?.focus()
  }, [isSent])
  return (
    <Modal title={isSent ? t('deleteAccount.sentTitle') : t('deleteAccount.title')} onClose={onClose}>
      <p className="lead" role="status">
        {isSent ? t('deleteAccount.sent', { email: user.email }) : t('deleteAccount.text')}
      </p>
      {failure ? <Fault>{failure}</Fault> : null}
      <div className="dialog-buttons">
        <button ref={closer} type="button" className="button" onClick={onClose}>
          {isSent ? common('close') : common('cancel')}
        </button>
        {isSent ? null : (
          <button
            type="button"
            className="button button-danger"
            onClick={() => isAsking || confirm()}
            aria-disabled={isAsking}
          >
            {t('deleteAccount.confirm')}
          </button>
        )}
      </div>
    </Modal>
  )
}
