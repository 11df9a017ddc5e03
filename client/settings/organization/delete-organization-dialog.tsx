import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useFacts } from '#client/app/facts.ts'
import { useOrg, viewerQuery } from '#client/shell/viewer.ts'
import { Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { fullTime } from '#shared/kernel/time.ts'
import { deletionGraceDays } from '#shared/orgs/ownership.ts'

/** Confirms deleting the organization by typing its address. */
export default function DeleteOrganizationDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('settings')
  const api = useApi()
  const { slug } = useOrg()
  const { language, timeZone } = useFacts()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const [isWorking, work] = useWork()
  const submit = () =>
    work(async () => {
      setFault(undefined)
      try {
        const { deletesAt } = await api.orgOwnership.requestDeletion({ body: { slug: typed || ' ' } })
        onClose()
        if (deletesAt)
          toast(t('danger.deleteAsked', { when: fullTime(deletesAt, language, timeZone) }), { kind: 'success' })
        await client.invalidateQueries({ queryKey: viewerQuery.queryKey })
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return (
    <Modal title={t('danger.delete')} onClose={onClose}>
      <DialogForm
        confirm={t('danger.deleteConfirm')}
        isDanger
        isWorking={isWorking}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p className="lead">{t('danger.deleteText', { days: deletionGraceDays })}</p>
        <Field
          label={t('danger.deleteType', { slug })}
          value={typed}
          maxLength={60}
          autoCapitalize="none"
          autoComplete="off"
          spellCheck={false}
          fault={fault}
          onChange={({ target }) => setTyped(target.value)}
        />
      </DialogForm>
    </Modal>
  )
}
