import { useQueryClient } from '@tanstack/react-query'
import { useId, useState, useTransition } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/field.tsx'
import { toast } from '#client/ui/toasts.tsx'
import { useApi, useFailureText } from '#client/use-api.ts'
import { type Contact, contactNoteMaxChars } from '#shared/contacts.ts'
import { contactQuery } from './queries.ts'

interface ContactNoteProps {
  readonly org: string
  readonly phone: string
  readonly contact: Contact
}

/** What the team has to know of a contact, whatever they are written to about. */
export function ContactNote({ org, phone, contact }: ContactNoteProps) {
  const { t } = useTranslation('inbox')
  const id = useId()
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
        const note = (typed ?? contact.note ?? '').trim() || null
        const changed = await api.contacts.changeContact({ params: { phone }, body: { note } })
        client.setQueryData(contactQuery(org, phone).queryKey, changed)
        setTyped(undefined)
        toast(t('contact.noteSaved'), { kind: 'success' })
      } catch (error) {
        setFault(failureText(error))
      }
    })
  return (
    <form
      className="stack contact-part"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (!isSaving) submit()
      }}
    >
      <div className="field">
        <label htmlFor={id}>{t('contact.note')}</label>
        <textarea
          id={id}
          rows={3}
          maxLength={contactNoteMaxChars}
          value={typed ?? contact.note ?? ''}
          placeholder={t('contact.noteHint')}
          onChange={({ target }) => setTyped(target.value)}
        />
      </div>
      {fault ? <Fault>{fault}</Fault> : null}
      <div>
        <button type="submit" className="button" aria-disabled={isSaving}>
          {t('contact.saveNote')}
        </button>
      </div>
    </form>
  )
}
