import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import { contactNameMaxChars } from '#shared/contacts/chat-contact.ts'
import { paths } from '#shared/kernel/paths.ts'

interface NewContactDialogProps {
  onSaved(): Promise<unknown>
  onClose(): void
}

/** Adds a contact by number and name. */
export default function NewContactDialog({ onSaved, onClose }: NewContactDialogProps) {
  const { t } = useTranslation('contacts')
  const { slug } = useOrg()
  const navigate = useNavigate()
  const api = useApi()
  const failureText = useFailureText()
  const [phone, setPhone] = useState('')
  const [name, setName] = useState('')
  const [error, setError] = useState<unknown>()
  const [isWorking, work] = useTransition()
  const submit = () =>
    work(async () => {
      setError(undefined)
      try {
        const { phone: address, created } = await api.contacts.saveContact({ body: { phone, name: name.trim() } })
        toast(t(created ? 'new.saved' : 'new.known', { name: name.trim() }), {
          kind: 'success',
          action: { label: t('new.toChat'), onClick: () => void navigate(paths.chat(slug, address)) },
        })
      } catch (refusal) {
        return setError(refusal)
      }
      onClose()
      await onSaved()
    })
  const phoneFault = fieldFault(error, 'body.phone')
  const nameFault = fieldFault(error, 'body.name')
  return (
    <Modal title={t('new.title')} onClose={onClose}>
      <DialogForm
        confirm={t('new.save')}
        isWaiting={!name.trim() || !phone.trim()}
        isWorking={isWorking}
        onSubmit={submit}
        onCancel={onClose}
      >
        <Field
          label={t('new.number')}
          type="tel"
          autoComplete="off"
          maxLength={40}
          hint={t('new.numberHint')}
          value={phone}
          fault={phoneFault}
          onChange={({ target }) => setPhone(target.value)}
        />
        <Field
          label={t('new.name')}
          autoComplete="off"
          maxLength={contactNameMaxChars}
          value={name}
          fault={nameFault}
          onChange={({ target }) => setName(target.value)}
        />
        {error !== undefined && phoneFault === undefined && nameFault === undefined ? (
          <Fault>{failureText(error)}</Fault>
        ) : null}
      </DialogForm>
    </Modal>
  )
}
