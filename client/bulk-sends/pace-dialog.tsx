import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { bulkPerSecond, maxPerSecond } from '#shared/bulk-sends/pace.ts'
import { wholeWithin } from './create/plan/care.ts'
import { NumberField } from './create/plan/care-fields.tsx'
import { paceQuery } from './queries.ts'

const range = { min: 1, max: maxPerSecond }

interface PaceDialogProps {
  readonly perSecond: number
  onClose(): void
}

/** Changes the rate of bulk messages, running sends included. */
export default function PaceDialog({ perSecond, onClose }: PaceDialogProps) {
  const { t } = useTranslation('bulk-sends')
  const { slug } = useOrg()
  const api = useApi()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [typed, setTyped] = useState(String(perSecond))
  const [failure, setFailure] = useState<string>()
  const [isSaving, save] = useWork()
  const value = wholeWithin(typed, range)
  const submit = () =>
    save(async () => {
      if (value === undefined) return
      try {
        client.setQueryData(paceQuery(slug).queryKey, await api.bulkSends.setPace({ body: { perSecond: value } }))
        onClose()
      } catch (error) {
        setFailure(failureText(error))
      }
    })
  return (
    <Modal title={t('pace.title')} onClose={onClose}>
      <DialogForm confirm={t('pace.save')} isWorking={isSaving} onSubmit={submit} onCancel={onClose}>
        <p>{t('pace.why')}</p>
        <NumberField
          label={t('pace.perSecond')}
          hint={t('pace.hint', { usual: bulkPerSecond })}
          value={typed}
          range={range}
          isFaulty={value === undefined}
          onChange={setTyped}
        />
        {failure ? <Fault>{failure}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
