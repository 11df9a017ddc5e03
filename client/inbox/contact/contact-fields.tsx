import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { fieldFault } from '#client/app/calls/api-error.ts'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { createScopedStore } from '#client/app/input/scoped-store.ts'
import { FieldInput } from '#client/contact-fields/field-input.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import { toast } from '#client/ui/feedback/toasts.tsx'
import type { Contact, FilledField } from '#shared/contacts/chat-contact.ts'
import type { Language } from '#shared/kernel/language.ts'
import { longDate } from '#shared/kernel/time.ts'
import { contactQuery } from '../queries.ts'
import { ContactButtons } from './contact-buttons.tsx'

interface ContactFieldsProps {
  readonly org: string
  readonly phone: string
  readonly contact: Contact
  readonly canReply: boolean
}

const Shown = ({ fields }: Pick<Contact, 'fields'>) => {
  const { i18n } = useTranslation('inbox')
  const known = fields.filter(({ value }) => value !== null)
  if (!known.length) return null
  const text = ({ kind, value }: FilledField) =>
    kind === 'date' ? longDate(value ?? '', i18n.language as Language, 'UTC') : value
  return (
    <dl className="contact-part contact-known">
      {known.map(field => (
        <div key={field.id}>
          <dt dir="auto">{field.label}</dt>
          <dd dir="auto">{text(field)}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Typed and unsaved values, by contact and field. Others show the stored value. */
const typedFields = createScopedStore<Readonly<Record<string, string>>>({})

/** A contact's custom fields. */
export function ContactFields({ org, phone, contact, canReply }: ContactFieldsProps) {
  const { t } = useTranslation('inbox')
  const client = useQueryClient()
  const api = useApi()
  const failureText = useFailureText()
  const typed = typedFields.use(contact.id)
  const [failed, setFailed] = useState<{ error: unknown; ids: readonly string[] }>()
  const [isSaving, save] = useTransition()
  const { fields } = contact
  if (!fields.length) return null
  if (!canReply) return <Shown fields={fields} />
  const changed = fields.flatMap(({ id, value }) => {
    const text = typed[id]
    return text === undefined || text.trim() === (value ?? '') ? [] : [{ id, value: text.trim() || null }]
  })
  const faultFor = (id: string) => {
    const place = failed ? failed.ids.indexOf(id) : -1
    return place >= 0 && fieldFault(failed?.error, `body.fields.${place}.value`) ? t('contact.fieldInvalid') : undefined
  }
  const hasOwn = fields.some(({ id }) => faultFor(id))
  const submit = () =>
    save(async () => {
      setFailed(undefined)
      try {
        const answer = await api.contacts.changeContact({ params: { phone }, body: { fields: changed } })
        client.setQueryData(contactQuery(org, phone).queryKey, answer)
        typedFields.write(contact.id, {})
        toast(t('contact.fieldsSaved'), { kind: 'success' })
      } catch (error) {
        setFailed({ error, ids: changed.map(({ id }) => id) })
      }
    })
  return (
    <form
      className="contact-part contact-values"
      noValidate
      aria-label={t('contact.fields')}
      onSubmit={event => {
        event.preventDefault()
        if (!isSaving && changed.length) submit()
      }}
    >
      <h3>{t('contact.fields')}</h3>
      {fields.map(field => (
        <FieldInput
          key={field.id}
          field={field}
          none={t('contact.fieldNone')}
          placeholder={t('contact.add')}
          value={typed[field.id] ?? field.value ?? ''}
          fault={faultFor(field.id)}
          onChange={value => typedFields.write(contact.id, { ...typed, [field.id]: value })}
        />
      ))}
      {failed && !hasOwn ? <Fault>{failureText(failed.error)}</Fault> : null}
      {changed.length ? (
        <ContactButtons
          save={t('contact.saveFields')}
          isSaving={isSaving}
          onCancel={() => {
            typedFields.write(contact.id, {})
            setFailed(undefined)
          }}
        />
      ) : null}
    </form>
  )
}
