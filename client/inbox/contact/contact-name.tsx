import { useTranslation } from 'react-i18next'
import { isComposing } from '#client/ui/controls/composing.ts'
import { Fault, Field } from '#client/ui/controls/field.tsx'
import { contactNameMaxChars } from '#shared/contacts/chat-contact.ts'
import { ContactButtons } from './contact-buttons.tsx'
import { type ContactTextProps, useContactText } from './use-contact-text.ts'

interface ContactNameProps extends ContactTextProps {
  /** Saved or cancelled. */
  onDone(): void
}

/** Edits a contact's name. Cleared, WhatsApp's name is shown again. */
export function ContactName({ onDone, ...props }: ContactNameProps) {
  const { t } = useTranslation('inbox')
  const { value, fault, isSaving, discard, onChange, onSubmit } = useContactText(props, {
    field: 'name',
    saved: t('contact.saved'),
    onSaved: onDone,
  })
  const { profileName } = props.contact
  const cancel = () => {
    discard()
    onDone()
  }
  return (
    <form
      className="contact-form"
      noValidate
      onSubmit={onSubmit}
      onKeyDown={event => {
        if (event.key !== 'Escape' || isComposing(event.nativeEvent)) return
        // Otherwise the dialog or panel around the form would close too.
        event.preventDefault()
        event.stopPropagation()
        cancel()
      }}
    >
      <Field
        label={t('contact.name')}
        hint={t('contact.nameHint')}
        value={value}
        placeholder={profileName ?? undefined}
        maxLength={contactNameMaxChars}
        autoComplete="off"
        autoFocus
        onChange={onChange}
      />
      <p>{profileName ? t('contact.profileName', { name: profileName }) : t('contact.noProfileName')}</p>
      {fault ? <Fault>{fault}</Fault> : null}
      <ContactButtons save={t('contact.save')} isSaving={isSaving} onCancel={cancel} />
    </form>
  )
}
