import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'

interface ConfirmCountProps {
  readonly count: number
  /** The dialog has closed; the page says what became of the send. */
  onConfirm(): void
  onClose(): void
}

/** Digits of a number as people write it: `1.202`. */
const digitsOf = (typed: string): string => typed.replace(/\D/g, '')

/** Starts a large send only after its number of recipients was typed. */
export default function ConfirmCount({ count, onConfirm, onClose }: ConfirmCountProps) {
  const { t, i18n } = useTranslation('bulk-sends')
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const figure = new Intl.NumberFormat(i18n.language).format(count)
  const submit = () => {
    if (digitsOf(typed) !== String(count)) return setFault(t('confirmCount.wrong', { figure }))
    onClose()
    onConfirm()
  }
  return (
    <Modal title={t('confirmCount.title', { figure })} onClose={onClose}>
      <DialogForm
        confirm={t('confirmCount.confirm', { figure })}
        isWorking={false}
        onSubmit={submit}
        onCancel={onClose}
      >
        <p>{t('confirmCount.text')}</p>
        <Field
          label={t('confirmCount.label', { figure })}
          inputMode="numeric"
          autoComplete="off"
          autoFocus
          value={typed}
          fault={fault}
          onChange={({ target }) => {
            setTyped(target.value)
            setFault(undefined)
          }}
        />
      </DialogForm>
    </Modal>
  )
}
