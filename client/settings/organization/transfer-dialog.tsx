import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { membersQuery } from '#client/shell/org-queries.ts'
import { useOrg, useViewer, viewerQuery } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'

/** Makes a member the owner. The previous owner becomes an administrator. */
export default function TransferDialog({ onClose }: { onClose(): void }) {
  const { t } = useTranslation('settings')
  const id = useId()
  const api = useApi()
  const org = useOrg()
  const { user } = useViewer()
  const client = useQueryClient()
  const failureText = useFailureText()
  const members = useQuery(membersQuery(org.slug)).data?.items
  const others = members?.filter(({ userId }) => userId !== user.id)
  const [userId, setUserId] = useState('')
  const [fault, setFault] = useState<string>()
  const [isWorking, work] = useWork()
  const submit = () =>
    work(async () => {
      if (!userId) return setFault(t('danger.choose'))
      setFault(undefined)
      try {
        const { ownerName } = await api.orgOwnership.transfer({ body: { userId } })
        onClose()
        toast(t('danger.transferred', { name: ownerName }), { kind: 'success' })
        await client.invalidateQueries({ queryKey: viewerQuery.queryKey })
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return (
    <Modal title={t('danger.transfer')} onClose={onClose}>
      <DialogForm
        confirm={t('danger.transferConfirm')}
        isDanger
        isWorking={isWorking}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p className="lead">{others?.length === 0 ? t('danger.nobody') : t('danger.transferText')}</p>
        <div className="field">
          <label htmlFor={id}>{t('danger.transferTo')}</label>
          <select id={id} value={userId} onChange={({ target }) => setUserId(target.value)}>
            <option value="">{t('danger.choose')}</option>
            {others?.map(({ userId: one, name, email }) => (
              <option key={one} value={one} dir="auto">{`${name} (${email})`}</option>
            ))}
          </select>
        </div>
        {fault ? <Fault>{fault}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
