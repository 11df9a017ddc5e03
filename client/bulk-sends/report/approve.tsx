import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useOrg, useViewer } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { confirmByNumberFrom } from '#shared/bulk-sends/limits.ts'
import type { BulkSendReport } from '#shared/bulk-sends/sends.ts'
import { refreshSends } from '../queries.ts'

const ConfirmCount = lazyDialog(() => import('../confirm-count.tsx'))

/** Approves a large send of another person. From 100 recipients on, the approver types their number first. */
export function Approve({ send }: { send: BulkSendReport }) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const { user } = useViewer()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [failure, setFailure] = useState<unknown>()
  const [isConfirming, setIsConfirming] = useState(false)
  const [isWorking, work] = useWork()
  const approve = () =>
    work(async () => {
      setFailure(undefined)
      try {
        await api.bulkSends.approve({ params: { id: send.id } })
      } catch (error) {
        setFailure(error)
      }
      await refreshSends(client, slug, send.id)
    })
  const begin = () => {
    if (isWorking) return
    if (send.counts.planned >= confirmByNumberFrom) setIsConfirming(true)
    else approve()
  }
  if (send.creatorId === user.id) return null
  return (
    <>
      <button type="button" className="button button-primary" aria-disabled={isWorking} onClick={begin}>
        {t('approval.approve')}
      </button>
      {failure ? <Fault>{failureText(failure)}</Fault> : null}
      {isConfirming ? (
        <ConfirmCount count={send.counts.planned} onConfirm={approve} onClose={() => setIsConfirming(false)} />
      ) : null}
    </>
  )
}
