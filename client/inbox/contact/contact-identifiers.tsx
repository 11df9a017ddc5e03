import { useTranslation } from 'react-i18next'
import { CopyButton } from '#client/ui/controls/copy-button.tsx'
import type { Contact } from '#shared/contacts/chat-contact.ts'

/** Numbers and names that tell who a contact is on WhatsApp, each to copy. */
export const ContactIdentifiers = ({ identifiers }: Pick<Contact, 'identifiers'>) => {
  const { t } = useTranslation('inbox')
  return (
    <section className="contact-part">
      <h3>{t('contact.identifiers')}</h3>
      <dl className="contact-facts">
        {identifiers.map(({ kind, value, shown }, place) => (
          <div key={`${kind} ${value}`} className="contact-identifier">
            <dt>
              {t(`contact.${kind}`)}
              {identifiers[place - 1]?.kind === kind ? ` · ${t('contact.former')}` : null}
            </dt>
            <dd>
              <span title={shown}>{shown}</span>
              <CopyButton
                value={kind === 'phone' ? `+${value}` : value}
                label={t('contact.copy', { value: shown })}
                done={t('contact.copied')}
                failed={t('contact.copyFailed')}
              />
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
