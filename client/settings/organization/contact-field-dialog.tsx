import { useQueryClient } from '@tanstack/react-query'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault, isApiError } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useWork } from '#client/app/calls/use-work.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { DialogForm } from '#client/ui/overlays/dialog-form.tsx'
import { Modal } from '#client/ui/overlays/mui-dialog.tsx'
import {
  type ContactField,
  contactFieldKinds,
  fieldLabelMaxChars,
  fieldOptionMaxChars,
  maxFieldOptions,
} from '#shared/contacts/fields.ts'

interface ContactFieldDialogProps {
  /** Undefined: a new field. */
  readonly field: ContactField | undefined
  onClose(): void
}

const optionsIn = (text: string): string[] =>
  text
    .split('\n')
    .map(one => one.trim())
    .filter(one => one !== '')

/** Creates or renames a contact field. */
export default function ContactFieldDialog({ field, onClose }: ContactFieldDialogProps) {
  const { t } = useTranslation('settings')
  const id = useId()
  const api = useApi()
  const org = useOrg()
  const client = useQueryClient()
  const failureText = useFailureText()
  const [label, setLabel] = useState(field?.label ?? '')
  const [kind, setKind] = useState<ContactField['kind']>(field?.kind ?? 'text')
  const [options, setOptions] = useState(field?.options.join('\n') ?? '')
  const [error, setError] = useState<unknown>()
  const [isSaving, save] = useWork()
  const submit = () =>
    save(async () => {
      setError(undefined)
      const body = { label: label || ' ', ...(kind === 'choice' ? { options: optionsIn(options) } : {}) }
      try {
        if (field) await api.contactFields.changeField({ params: { id: field.id }, body })
        else await api.contactFields.createField({ body: { ...body, kind } })
        await client.invalidateQueries({ queryKey: keyFor(org.slug, 'contactFields.listFields') })
      } catch (refusal) {
        return setError(refusal)
      }
      toast(t('saved'), { kind: 'success' })
      onClose()
    })
  const labelFault = fieldFault(error, 'body.label')
  const isOfOptions = isApiError(error) && error.details.some(one => one.field.startsWith('body.options'))
  return (
    <Modal title={t(field ? 'fields.editTitle' : 'fields.addTitle')} onClose={onClose}>
      <DialogForm confirm={t('save')} isWorking={isSaving} onSubmit={submit} onCancel={onClose}>
        <Field
          label={t('fields.label')}
          value={label}
          maxLength={fieldLabelMaxChars}
          autoComplete="off"
          fault={labelFault}
          onChange={({ target }) => setLabel(target.value)}
        />
        {field ? null : (
          <div className="field">
            <label htmlFor={`${id}-kind`}>{t('fields.kindLabel')}</label>
            <select
              id={`${id}-kind`}
              value={kind}
              onChange={({ target }) => setKind(target.value as ContactField['kind'])}
            >
              {contactFieldKinds.map(one => (
                <option key={one} value={one}>
                  {t(`fields.kind.${one}`)}
                </option>
              ))}
            </select>
          </div>
        )}
        {kind === 'choice' ? (
          <div className="field">
            <label htmlFor={`${id}-options`}>{t('fields.options')}</label>
            <textarea
              dir="auto"
              id={`${id}-options`}
              rows={5}
              value={options}
              aria-invalid={isOfOptions}
              aria-describedby={`${id}-hint`}
              onChange={({ target }) => setOptions(target.value)}
            />
            <div id={`${id}-hint`} className="field-hint">
              {t('fields.optionsHint', { count: maxFieldOptions })}
            </div>
            {isOfOptions ? <Fault>{t('fields.badOptions', { max: fieldOptionMaxChars })}</Fault> : null}
          </div>
        ) : null}
        {error !== undefined && !labelFault && !isOfOptions ? <Fault>{failureText(error)}</Fault> : null}
      </DialogForm>
    </Modal>
  )
}
