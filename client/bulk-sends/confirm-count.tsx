import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { useFailureText } from '#client/app/use-api.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'

interface ConfirmCountProps {
  readonly count: number
  onConfirm(): Promise<unknown>
  onClose(): void
}

/** Digits of a number as people write it: `1.202`. */
const digitsOf = (typed: string): string => typed.replace(/\D/g, '')

/** Starts a large send only after its number of recipients was typed. */
export default function ConfirmCount({ count, onConfirm, onClose }: ConfirmCountProps) {
  const { t, i18n } = useTranslation('bulk-sends')
  const failureText = useFailureText()
  const [typed, setTyped] = useState('')
  const [fault, setFault] = useState<string>()
  const [failure, setFailure] = useState<unknown>()
  const [isWorking, work] = useTransition()
  const figure = new Intl.NumberFormat(i18n.language).format(count)
  const submit = () => {
    if (digitsOf(typed) !== String(count)) return setFault(t('confirmCount.wrong', { figure }))
    work(async () => {
      setFailure(undefined)
      try {
        await onConfirm()
      } catch (error) {
        return setFailure(error)
      }
      onClose()
    })
  }
  return (
    <Modal title={t('confirmCount.title', { figure })} onClose={onClose}>
      <DialogForm
        confirm={t('confirmCount.confirm', { figure })}
        isWorking={isWorking}
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
        {failure ? <Fault>{failureText(failure)}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
