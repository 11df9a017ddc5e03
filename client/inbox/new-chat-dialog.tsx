import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { DialogForm } from '#client/ui/dialog-form.tsx'
import { Field } from '#client/ui/field.tsx'
import { Modal } from '#client/ui/mui-dialog.tsx'
import { paths } from '#shared/paths.ts'
import { digitsOf, isPhoneDigits } from '#shared/phone.ts'

interface NewChatDialogProps {
  readonly org: string
  onClose(): void
}

/** Asks for a number and opens its chat: the one there is, or one to begin. */
export default function NewChatDialog({ org, onClose }: NewChatDialogProps) {
  const { t } = useTranslation('inbox')
  const navigate = useNavigate()
  const [typed, setTyped] = useState('')
  const [isFault, setIsFault] = useState(false)
  const submit = () => {
    const digits = digitsOf(typed)
    if (!isPhoneDigits(digits)) return setIsFault(true)
    onClose()
    void navigate(paths.chat(org, digits))
  }
  return (
    <Modal title={t('newChat.title')} onClose={onClose}>
      <DialogForm confirm={t('newChat.open')} isWorking={false} onSubmit={submit} onCancel={onClose}>
        <Field
          label={t('newChat.number')}
          type="tel"
          autoFocus
          autoComplete="off"
          hint={t('newChat.hint')}
          value={typed}
          {...(isFault ? { fault: t('newChat.fault') } : {})}
          onChange={event => {
            setTyped(event.target.value)
            setIsFault(false)
          }}
        />
      </DialogForm>
    </Modal>
  )
}
