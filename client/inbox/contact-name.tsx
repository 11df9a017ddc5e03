import { useTranslation } from 'react-i18next'
import { Fault, Field } from '#client/ui/field.tsx'
import { contactNameMaxChars } from '#shared/contacts.ts'
import { type ContactTextProps, useContactText } from './use-contact-text.ts'

/** What the organization calls a contact; emptied, WhatsApp's name is shown again. */
export function ContactName(props: ContactTextProps) {
  const { t } = useTranslation('inbox')
  const { value, fault, isSaving, onChange, onSubmit } = useContactText(props, 'name', t('contact.saved'))
  return (
    <form className="stack" noValidate onSubmit={onSubmit}>
      <Field
        label={t('contact.name')}
        hint={t('contact.nameHint')}
        value={value}
        placeholder={props.contact.profileName ?? undefined}
        maxLength={contactNameMaxChars}
        autoComplete="off"
        onChange={onChange}
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
