import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { contactNoteMaxChars } from '#shared/contacts/api.ts'
import { ContactButtons } from './contact-buttons.tsx'
import { type ContactTextProps, useContactText } from './use-contact-text.ts'

/** The team's note about a contact. */
export function ContactNote(props: ContactTextProps) {
  const { t } = useTranslation('inbox')
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  /** The pressed button disappears. */
  const toField = () => field.current?.focus()
  const { value, fault, isSaving, isChanged, discard, onChange, onSubmit } = useContactText(props, {
    field: 'note',
    saved: t('contact.noteSaved'),
    onSaved: toField,
  })
  return (
    <form className="contact-part" noValidate onSubmit={onSubmit}>
      <h3>
        <label htmlFor={id}>{t('contact.note')}</label>
      </h3>
      <textarea
        ref={field}
        dir="auto"
        id={id}
        className="contact-memo"
        rows={2}
        maxLength={contactNoteMaxChars}
        value={value}
        placeholder={t('contact.noteHint')}
        onChange={onChange}
      />
      {fault ? <Fault>{fault}</Fault> : null}
      {isChanged ? (
        <ContactButtons
          save={t('contact.saveNote')}
          isSaving={isSaving}
          onCancel={() => {
            discard()
            toField()
          }}
        />
      ) : null}
    </form>
  )
}
