import { Suspense, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { useAnswer } from '#client/app/queries/use-answer.ts'
import { FieldInput } from '#client/contact-fields/field-input.tsx'
import { contactFieldsQuery } from '#client/segments/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault } from '#client/ui/controls/field.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import type { ContactsChange } from '#shared/contacts/api.ts'

interface FieldDialogProps {
  /** The number of selected contacts. */
  readonly count: number
  /** Saves the first contacts, and returns what saves the others and says so. @throws the refusal of the value */
  onSave(field: NonNullable<ContactsChange['field']>): Promise<(() => Promise<void>) | undefined>
  onClose(): void
}

function Form({ count, onSave, onClose }: FieldDialogProps) {
  const { t } = useTranslation('contacts')
  const { slug } = useOrg()
  const id = useId()
  const failureText = useFailureText()
  const { items: fields } = useAnswer(contactFieldsQuery(slug))
  const [fieldId, setFieldId] = useState(fields[0]?.id)
  const [value, setValue] = useState('')
  const [error, setError] = useState<unknown>()
  const [isSaving, save] = useWork()
  const field = fields.find(one => one.id === fieldId)
  if (!field) return <p>{t('field.none')}</p>
  const isWrong = fieldFault(error, 'body.field.value') !== undefined
  const submit = () =>
    save(async () => {
      setError(undefined)
      try {
        const finish = await onSave({ id: field.id, value: value.trim() || null })
        onClose()
        await finish?.()
      } catch (refusal) {
        setError(refusal)
      }
    })
  return (
    <DialogForm
      confirm={t(value.trim() ? 'field.fill' : 'field.empty', { count })}
      isWorking={isSaving}
      onSubmit={submit}
      onCancel={onClose}
    >
      <div className="field">
        <label htmlFor={id}>{t('field.which')}</label>
        <select
          id={id}
          value={field.id}
          onChange={({ target }) => {
            setFieldId(target.value)
            setValue('')
            setError(undefined)
          }}
        >
          {fields.map(one => (
            <option key={one.id} value={one.id} dir="auto">
              {one.label}
            </option>
          ))}
        </select>
      </div>
      <FieldInput
        key={field.id}
        field={field}
        none={t('field.noValue')}
        value={value}
        fault={isWrong ? t('field.invalid') : undefined}
        onChange={setValue}
      />
      {error !== undefined && !isWrong ? <Fault>{failureText(error)}</Fault> : null}
    </DialogForm>
  )
}

/** Gives the selected contacts one value in a custom field. */
export default function FieldDialog(props: FieldDialogProps) {
  const { t } = useTranslation('contacts')
  return (
    <Modal title={t('field.title')} onClose={props.onClose}>
      <Suspense fallback={<p role="status">{t('loading')}</p>}>
        <Form {...props} />
      </Suspense>
    </Modal>
  )
}
