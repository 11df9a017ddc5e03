import { useQueryClient } from '@tanstack/react-query'
import { useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault, Field } from '#client/ui/field.tsx'
import { toast } from '#client/ui/toasts.tsx'
import { useApi, useFailureText } from '#client/use-api.ts'
import { type Contact, contactNameMaxChars } from '#shared/contacts.ts'
import { contactQuery, placeConversation } from './queries.ts'

interface ContactNameProps {
  readonly org: string
  readonly phone: string
  readonly contact: Contact
}

/** What the organization calls a contact; emptied, WhatsApp's name is shown again. */
export function ContactName({ org, phone, contact }: ContactNameProps) {
  const { t } = useTranslation('inbox')
  const client = useQueryClient()
  const api = useApi()
  const failureText = useFailureText()
  /** Undefined: nothing was typed, what is stored is shown. */
  const [typed, setTyped] = useState<string>()
  const [fault, setFault] = useState('')
  const [isSaving, save] = useTransition()
  const submit = () =>
    save(async () => {
      setFault('')
      try {
        const name = (typed ?? contact.name ?? '').trim() || null
        const changed = await api.contacts.changeContact({ params: { phone }, body: { name } })
        client.setQueryData(contactQuery(org, phone).queryKey, changed)
        for (const conversation of changed.conversations) placeConversation(client, org, conversation)
        setTyped(undefined)
        toast(t('contact.saved'), { kind: 'success' })
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return (
    <form
      className="stack"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (!isSaving) submit()
      }}
    >
      <Field
        label={t('contact.name')}
        hint={t('contact.nameHint')}
        value={typed ?? contact.name ?? ''}
        placeholder={contact.profileName ?? undefined}
        maxLength={contactNameMaxChars}
        autoComplete="off"
        onChange={({ target }) => setTyped(target.value)}
      />
      {fault ? <Fault>{fault}</Fault> : null}
      <div>
        <button type="submit" className="button" aria-disabled={isSaving}>
          {t('contact.save')}
        </button>
      </div>
    </form>
  )
}
