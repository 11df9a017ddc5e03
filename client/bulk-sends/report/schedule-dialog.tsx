import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { orgClockQuery } from '#client/shell/org-clock.tsx'
import { useOrg } from '#client/shell/viewer.ts'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { BulkSend } from '#shared/bulk-sends/sends.ts'
import { wallTime } from '#shared/kernel/time.ts'
import { refreshSends } from '../queries.ts'
import { StartTime, useStartAt } from '../start-time.tsx'

interface ScheduleDialogProps {
  readonly send: Pick<BulkSend, 'id' | 'startsAt'>
  onClose(): void
}

/** Schedules a send that is ready. */
export default function ScheduleDialog({ send: { id, startsAt }, onClose }: ScheduleDialogProps) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const { timeZone } = useAnswer(orgClockQuery(slug))
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const startAtOf = useStartAt()
  const [wall, setWall] = useState(startsAt ? wallTime(Date.parse(startsAt), timeZone) : '')
  const [fault, setFault] = useState<string>()
  const [isSaving, save] = useWork()
  const submit = () =>
    save(async () => {
      const startAt = startAtOf(wall)
      if (!startAt) return setFault(t('when.missing'))
      try {
        await api.bulkSends.schedule({ params: { id }, body: { startAt } })
      } catch (error) {
        return setFault(failureText(error))
      } finally {
        await refreshSends(client, slug, id)
      }
      onClose()
    })
  return (
    <Modal title={t('when.dialog')} onClose={onClose}>
      <DialogForm confirm={t('when.save')} isWorking={isSaving} onSubmit={submit} onCancel={onClose}>
        <StartTime
          wall={wall}
          fault={fault}
          onChange={next => {
            setWall(next)
            setFault(undefined)
          }}
        />
      </DialogForm>
    </Modal>
  )
}
