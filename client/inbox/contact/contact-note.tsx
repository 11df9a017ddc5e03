import { useId, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { Fault } from '#client/ui/controls/field.tsx'
import { isFocusWithin } from '#client/ui/page/focus-within.ts'
import { contactNoteMaxChars } from '#shared/contacts/chat-contact.ts'
import { hasKeyboard } from '../composer/composer-focus.ts'
import { ContactButtons } from './contact-buttons.tsx'
import { type ContactTextProps, useContactText } from './use-contact-text.ts'

/** The team's note about a contact. */
export function ContactNote(props: ContactTextProps) {
  const { t } = useTranslation('inbox')
  const id = useId()
  const field = useRef<HTMLTextAreaElement>(null)
  /** Keeps the focus when the pressed button disappears, unless the person has moved it elsewhere meanwhile. */
  const toField = () => {
    if (hasKeyboard() && isFocusWithin(field.current?.form)) field.current?.focus()
  }
  const { value, fault, isSaving, isChanged, changedTo, discard, onChange, onSubmit } = useContactText(props, {
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
      {changedTo === undefined ? null : (
        <p role="status" dir="auto">
          {changedTo ? t('contact.noteChanged', { note: changedTo }) : t('contact.noteDeleted')}
        </p>
      )}
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
