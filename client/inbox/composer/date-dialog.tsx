import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useNavigate } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { DateField } from '#client/ui/controls/date-input.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import { paths } from '#shared/kernel/paths.ts'
import { startOfDay, wallTime } from '#shared/kernel/time.ts'
import { withAround } from '../list/list-address.ts'

interface DateDialogProps {
  readonly org: string
  readonly phone: string
  /** A time on the initial day. */
  readonly from: string
  onClose(): void
}

const isDay = /^\d{4}-\d{2}-\d{2}$/

/** Jumps to the first message on or after a day. */
export default function DateDialog({ org, phone, from, onClose }: DateDialogProps) {
  const { t } = useTranslation('inbox')
  const { now, timeZone } = useMoment()
  const api = useApi()
  const failureText = useFailureText()
  const navigate = useNavigate()
  const { search } = useLocation()
  const [day, setDay] = useState(wallTime(Date.parse(from), timeZone).slice(0, 10))
  const [fault, setFault] = useState<string>()
  const [isWorking, work] = useTransition()
  const go = () => {
    if (!isDay.test(day)) return setFault(t('jump.missing'))
    work(async () => {
      setFault(undefined)
      try {
        const query = { since: startOfDay(day, timeZone) }
        const { items } = await api.inbox.listMessages({ params: { phone }, query })
        const first = items[0]
        if (!first) return setFault(t('jump.nothing'))
        onClose()
        void navigate(paths.chat(org, phone) + withAround(search, first.id), { preventScrollReset: true })
      } catch (error) {
        setFault(failureText(error))
      }
    })
  }
  return (
    <Modal title={t('jump.label')} onClose={onClose}>
      <DialogForm confirm={t('jump.go')} isWorking={isWorking} onSubmit={go} onCancel={onClose}>
        <DateField
          label={t('jump.day')}
          required
          value={day}
          max={wallTime(now, timeZone).slice(0, 10)}
          {...(fault ? { fault } : {})}
          onChange={setDay}
        />
      </DialogForm>
    </Modal>
  )
}
