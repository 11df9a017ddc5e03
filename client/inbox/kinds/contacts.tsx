import { use, useState } from 'react'
import { Link } from 'react-router'
import { useApi, useFailureText } from '#client/app/calls/use-api.ts'
import { useOrg } from '#client/shell/viewer.ts'
import { toast } from '#client/ui/feedback/toasts.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { contactNameMaxChars } from '#shared/contacts/chat-contact.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { paths } from '#shared/kernel/paths.ts'
import { effectiveRole, roleCan } from '#shared/kernel/permissions.ts'
import { Beside } from '../beside.ts'
import { Folded } from '../folded.tsx'
import { dialledAs } from '../thread/bubble/phone-links.ts'
import type { InboxT } from '../words.ts'
import type { BodyProps, KindViews } from './kind.ts'

type Card = NonNullable<Message['contacts']>[number]

/** The lines of a contact card below its name, without duplicates. Its websites are shown as links by the caller. */
const cardLines = ({ title, company, phones, emails, addresses = [], birthday }: Card, t: InboxT): string[] => {
  const work = [title, company].filter(Boolean).join(', ')
  const lines = [work, ...phones, ...emails, ...addresses, birthday ? t('card.birthday', { day: birthday }) : '']
  return [...new Set(lines.filter(line => line !== ''))]
}

/** Buttons that open a chat with the person on the card, or save them under the card's name. */
const CardActions = ({ card, t }: { card: Card; t: InboxT }) => {
  const { slug, role } = useOrg()
  const api = useApi()
  const failureText = useFailureText()
  const [state, setState] = useState<'saving' | 'saved'>()
  const beside = use(Beside)
  // Prefer WhatsApp's id of the number.
  const phone = card.waIds?.[0] ?? card.phones.flatMap(one => dialledAs(one, beside) ?? [])[0]
  const given = card.waIds?.[0] ?? card.phones[0]
  if (given === undefined || !roleCan(effectiveRole(role), 'chat:reply')) return null
  const name = card.name.trim().slice(0, contactNameMaxChars)
  const save = async () => {
    if (state) return
    setState('saving')
    try {
      const { created } = await api.contacts.saveContact({ body: { phone: phone ?? given, name } })
      setState('saved')
      toast(t(created ? 'card.saved' : 'card.updated', { name }), { kind: 'success' })
    } catch (error) {
      setState(undefined)
      toast(failureText(error), { kind: 'error' })
    }
  }
  return (
    <span className="card-actions wrap">
      {phone === undefined ? null : (
        <Link className="button" to={paths.chat(slug, phone)} aria-label={t('card.writeTo', { name })}>
          {t('card.write')}
        </Link>
      )}
      {name === '' ? null : (
        <button
          type="button"
          className="button"
          aria-label={t('card.saveOf', { name })}
          aria-disabled={state !== undefined}
          onClick={() => void save()}
        >
          {t(state === 'saved' ? 'card.isSaved' : 'card.save')}
        </button>
      )}
    </span>
  )
}

/** Cards shown at first. Meta allows 257 in one message; usually there are one or two. */
const firstCards = 5

const ContactsBody = ({ message, t }: BodyProps) => (
  <Folded items={message.contacts ?? []} first={firstCards} t={t}>
    {(card, i) => (
      <span className="document card-part" key={i}>
        <Icon name="card" />
        <span>
          <bdi>{card.name}</bdi>
          {cardLines(card, t).map(line => (
            <small key={line}>
              <bdi>{line}</bdi>
            </small>
          ))}
          {card.urls?.map(url => (
            <small key={url}>
              <a href={url} target="_blank" rel="noopener noreferrer nofollow">
                {url.replace(/^https?:\/\//, '')}
              </a>
            </small>
          ))}
          <CardActions card={card} t={t} />
        </span>
      </span>
    )}
  </Folded>
)

export const contactsViews = { contacts: { Body: ContactsBody } } satisfies KindViews
