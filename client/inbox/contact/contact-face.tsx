import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isFocusWithin } from '#client/ui/page/focus-within.ts'
import { Avatar } from '#client/ui/pictures/avatar.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { useMoment } from '#client/ui/text/moment.tsx'
import type { Contact } from '#shared/contacts/chat-contact.ts'
import type { Language } from '#shared/kernel/language.ts'
import { monthOf } from '#shared/kernel/time.ts'
import { ContactBlock } from './contact-block.tsx'
import { ContactMenu } from './contact-menu.tsx'
import { ContactName } from './contact-name.tsx'

interface ContactFaceProps {
  readonly org: string
  readonly phone: string
  readonly name: string
  readonly contact: Contact
  readonly canReply: boolean
  /** It covers the chat. */
  readonly isOver: boolean
  onLeave(): void
}

/** Name, which can be edited, since when the contact is known, and what can be done with them. */
export const ContactFace = ({ org, phone, name, contact, canReply, isOver, onLeave }: ContactFaceProps) => {
  const { t, i18n } = useTranslation('inbox')
  const { timeZone } = useMoment()
  const [isNaming, setIsNaming] = useState(false)
  const pencil = useRef<HTMLButtonElement>(null)
  const part = useRef<HTMLDivElement>(null)
  const number = contact.conversations.find(one => one.displayPhone && one.displayPhone !== name)?.displayPhone
  return (
    <div ref={part} className="contact-part contact-first">
      <div className="contact-face line">
        <Avatar name={name} of={phone} />
        <div>
          <strong dir="auto">{name}</strong>
          {number ? <small className="contact-face-number">{number}</small> : null}
          <small>{t('contact.since', { when: monthOf(contact.createdAt, i18n.language as Language, timeZone) })}</small>
        </div>
        <div className="contact-tools line">
          {canReply ? (
            <button
              ref={pencil}
              type="button"
              className="icon-button"
              aria-label={t('contact.rename')}
              data-tip={t('contact.rename')}
              aria-expanded={isNaming}
              onClick={() => setIsNaming(now => !now)}
            >
              <Icon name="pencil" />
            </button>
          ) : null}
          <ContactMenu org={org} phone={phone} contact={contact} isOver={isOver} onLeave={onLeave} />
        </div>
      </div>
      {isNaming ? (
        <ContactName
          org={org}
          phone={phone}
          contact={contact}
          onDone={() => {
            setIsNaming(false)
            if (isFocusWithin(part.current)) pencil.current?.focus()
          }}
        />
      ) : contact.name && contact.profileName && contact.name !== contact.profileName ? (
        <p>{t('contact.profileName', { name: contact.profileName })}</p>
      ) : null}
      {contact.block ? <ContactBlock org={org} phone={phone} block={contact.block} /> : null}
    </div>
  )
}
