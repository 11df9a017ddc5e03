import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/field.tsx'
import { contactNoteMaxChars } from '#shared/contacts.ts'
import { type ContactTextProps, useContactText } from './use-contact-text.ts'

/** What the team has to know of a contact, whatever they are written to about. */
export function ContactNote(props: ContactTextProps) {
  const { t } = useTranslation('inbox')
  const id = useId()
  const { value, fault, isSaving, onChange, onSubmit } = useContactText(props, 'note', t('contact.noteSaved'))
  return (
    <form className="stack contact-part" noValidate onSubmit={onSubmit}>
      <div className="field">
        <label htmlFor={id}>{t('contact.note')}</label>
        <textarea
          id={id}
          rows={3}
          maxLength={contactNoteMaxChars}
          value={value}
          placeholder={t('contact.noteHint')}
          onChange={onChange}
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
