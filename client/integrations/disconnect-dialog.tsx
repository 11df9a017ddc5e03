import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import type { Connection } from '#shared/numbers.ts'
import { isApiError } from '../api-error.ts'
import { useOrg } from '../shell/viewer.ts'
import { Fault } from '../ui/field.tsx'
import { Modal } from '../ui/mui-dialog.tsx'
import { toast } from '../ui/toasts.tsx'
import { useApi, useFailureText } from '../use-api.ts'
import { refreshConnection } from './queries.ts'

interface DisconnectDialogProps {
  readonly connection: Connection
  onClose(): void
}

/** Says what goes and what stays before a number is let go. */
export default function DisconnectDialog({ connection, onClose }: DisconnectDialogProps) {
  const { t } = useTranslation('integrations')
  const { t: common } = useTranslation()
  const org = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<string>()
  const [isWorking, work] = useTransition()
  const number = connection.displayPhone || connection.phone
  const confirm = () =>
    work(async () => {
      setFailure(undefined)
      try {
        await api.numbers.disconnect({})
      } catch (error) {
        // Somebody else was faster: it is what was wanted.
        if (!(isApiError(error) && error.code === 'NUMBERS_NOT_CONNECTED')) return setFailure(failureText(error))
      }
      await refreshConnection(client, org.slug)
      toast(t('disconnect.done', { number }), { kind: 'success' })
      onClose()
    })
  return (
    <Modal title={t('disconnect.title', { number })} onClose={onClose}>
      <ul className="consequences">
        <li>{t('disconnect.waiting')}</li>
        <li>{t('disconnect.history')}</li>
        <li>{t('disconnect.after')}</li>
      </ul>
      {failure ? <Fault>{failure}</Fault> : null}
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {common('cancel')}
        </button>
        <button
          type="button"
          className="button button-danger"
          aria-disabled={isWorking}
          onClick={() => isWorking || confirm()}
        >
          {t('disconnect.confirm')}
        </button>
      </div>
    </Modal>
  )
}
