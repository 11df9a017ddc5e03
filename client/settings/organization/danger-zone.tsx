import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useFacts } from '#client/app/facts.ts'
import { useOrg, viewerQuery } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { fullTime } from '#shared/kernel/time.ts'
import { deletionGraceDays } from '#shared/orgs/ownership.ts'

const TransferDialog = lazyDialog(() => import('./transfer-dialog.tsx'))
const DeleteOrganizationDialog = lazyDialog(() => import('./delete-organization-dialog.tsx'))

/** Deleting or transferring an organization. For owners. */
export function DangerZone() {
  const { t } = useTranslation('settings')
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const { language, timeZone } = useFacts()
  const { deletesAt } = useOrg()
  const [opened, setOpened] = useState<'transfer' | 'delete'>()
  const [fault, setFault] = useState<string>()
  const [isUndoing, undo] = useWork()
  const close = () => setOpened(undefined)
  const keep = () =>
    undo(async () => {
      setFault(undefined)
      try {
        await api.orgOwnership.undoDeletion({})
        await client.invalidateQueries({ queryKey: viewerQuery.queryKey })
        toast(t('danger.undone'), { kind: 'success' })
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return (
    <>
      <h3>{t('danger.transfer')}</h3>
      <p>{t('danger.transferText')}</p>
      <div className="card-buttons">
        <button type="button" className="button" onClick={() => setOpened('transfer')}>
          {t('danger.transferOpen')}
        </button>
      </div>
      <h3>{t('danger.delete')}</h3>
      <p>
        {deletesAt
          ? t('danger.pending', { when: fullTime(deletesAt, language, timeZone) })
          : t('danger.deleteText', { days: deletionGraceDays })}
      </p>
      {fault ? <Fault>{fault}</Fault> : null}
      <div className="card-buttons">
        {deletesAt ? (
          <button type="button" className="button button-primary" disabled={isUndoing} onClick={keep}>
            {t('danger.undo')}
          </button>
        ) : (
          <button type="button" className="button button-danger" onClick={() => setOpened('delete')}>
            {t('danger.deleteOpen')}
          </button>
        )}
      </div>
      {opened === 'transfer' ? <TransferDialog onClose={close} /> : null}
      {opened === 'delete' ? <DeleteOrganizationDialog onClose={close} /> : null}
    </>
  )
}
