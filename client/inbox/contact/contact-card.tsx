import { wabaQuery } from '#client/shell/org-queries.ts'
import './contact-card.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { isApiError } from '#client/app/calls/api-error.ts'
import { useFailureText } from '#client/app/calls/use-api.ts'
import { nameOfNumber } from '#client/app/number-name.ts'
import { refreshPages } from '#client/app/queries/paged-list.ts'
import { keyFor } from '#client/app/queries/queries.ts'
import { useKnownAnswer } from '#client/app/queries/use-answer.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { Fault } from '#client/ui/controls/field.tsx'
import type { Contact } from '#shared/contacts/chat-contact.ts'
import { addressOfConversation, addressOfEvent } from '#shared/inbox/chat-address.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { paths } from '#shared/kernel/paths.ts'
import { digitsOf, isPhoneDigits } from '#shared/kernel/phone.ts'
import { Gallery } from '../media/gallery.tsx'
import { contactQuery, conversationQuery } from '../queries.ts'
import { activityQuery, ContactActivity } from './contact-activity.tsx'
import { ContactFace } from './contact-face.tsx'
import { ContactFacts } from './contact-facts.tsx'
import { ContactFields } from './contact-fields.tsx'
import { ContactIdentifiers } from './contact-identifiers.tsx'
import { ContactMerge } from './contact-merge.tsx'
import { ContactNote } from './contact-note.tsx'
import { ContactNotes, notesQuery } from './contact-notes.tsx'
import { ContactTags } from './contact-tags.tsx'
import { ContactWaits } from './contact-waits.tsx'

interface ContactCardProps {
  readonly org: string
  /** The address of the chat. */
  readonly phone: string
  readonly canReply: boolean
  /** Called when a link leaves the chat. */
  onLeave?(): void
}

type Of = Omit<ContactCardProps, 'onLeave'> & { readonly contact: Contact }

const Conversations = ({
  org,
  conversations,
  isOver,
  onLeave,
}: Contact & { org: string; isOver: boolean; onLeave(): void }) => {
  const { t } = useTranslation('inbox')
  const waba = useKnownAnswer(wabaQuery(org))
  if (conversations.length < 2) return null
  return (
    <section className="contact-part">
      <h3>{t('contact.conversations')}</h3>
      <ul>
        {conversations.map(one => (
          <li key={one.id}>
            <Link to={paths.chat(org, addressOfConversation(one))} replace={isOver} onClick={onLeave}>
              <span className="cut">
                {t('contact.onNumber', { number: nameOfNumber(waba?.numbers ?? [], one.number ?? '') })}
              </span>
              {one.archived ? <span className="chip">{t('contact.archived')}</span> : null}
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

const Details = ({ onLeave, ...of }: Of & Pick<ContactCardProps, 'onLeave'>) => {
  // Only a panel that covers the chat replaces its entry in the history.
  const isOver = onLeave !== undefined
  const leave = () => onLeave?.()
  const { t } = useTranslation('inbox')
  const { org, phone, contact, canReply } = of
  const conversation = useKnownAnswer(conversationQuery(org, phone)) ?? contact.conversations[0]
  const name = conversation?.name ?? contact.name ?? contact.profileName ?? t('contact.title')
  return (
    <>
      <ContactFace {...of} name={name} isOver={isOver} onLeave={leave} />
      <ContactFields org={org} phone={phone} contact={contact} canReply={canReply} />
      {conversation ? <ContactFacts conversation={conversation} canReply={canReply} /> : null}
      {conversation ? <ContactTags org={org} conversation={conversation} canReply={canReply} /> : null}
      {canReply ? (
        <ContactNote org={org} phone={phone} contact={contact} />
      ) : contact.note ? (
        <section className="contact-part">
          <h3>{t('contact.note')}</h3>
          <p className="contact-noted" dir="auto">
            {contact.note}
          </p>
        </section>
      ) : null}
      <ContactNotes org={org} phone={phone} isOver={isOver} onLeave={leave} />
      <Gallery org={org} phone={phone} />
      {contact.identifiers.length ? <ContactIdentifiers identifiers={contact.identifiers} /> : null}
      <Conversations {...contact} org={org} isOver={isOver} onLeave={leave} />
      <ContactMerge org={org} phone={phone} />
      <ContactActivity org={org} phone={phone} isOver={isOver} onLeave={leave} />
    </>
  )
}

/** The contact may no longer be seen. After a network failure, the loaded one stays. */
const isRefused = (error: unknown) => isApiError(error) && error.status >= 400 && error.status < 500

/** A number without a chat: its first message can be written beside this. */
const isUnwritten = (error: unknown, phone: string) =>
  isApiError(error) && error.code === 'INBOX_CHAT_NOT_FOUND' && isPhoneDigits(digitsOf(phone))

/** A chat's contact: name, identifiers, fields and note. */
export function ContactCard({ org, phone, canReply, onLeave }: ContactCardProps) {
  const { t } = useTranslation('inbox')
  const client = useQueryClient()
  const failureText = useFailureText()
  const query = contactQuery(org, phone)
  const { data: contact, error } = useQuery({ ...query, refetchOnMount: 'always' })
  const refresh = () => void client.invalidateQueries({ queryKey: query.queryKey })
  const refreshAll = () => {
    refresh()
    void client.invalidateQueries({ queryKey: activityQuery(org, phone).queryKey })
  }
  const isTheirs = (address: string) =>
    address === phone || Boolean(contact?.conversations.some(one => addressOfConversation(one) === address))
  const said = (address: string, { type, media, text }: Pick<Message, 'type' | 'media' | 'text'>) => {
    if (type === 'activity' && isTheirs(address))
      void client.invalidateQueries({ queryKey: activityQuery(org, phone).queryKey })
    if (address !== phone) return
    if (type === 'note') refreshPages(client, notesQuery(org, phone).queryKey)
    else if (media || text.includes('://'))
      void client.invalidateQueries({ queryKey: keyFor(org, 'contacts.listGallery') })
  }
  useEvents(
    {
      message: ({ message, conversation }) => said(addressOfConversation(conversation), message),
      internal: event => said(addressOfEvent(event), event.message),
      messageChanged: event => said(addressOfEvent(event), event.message),
      conversation: ({ conversation }) => {
        if (!contact || contact.conversations.some(({ phone }) => phone === conversation.phone)) refresh()
      },
      tags: refresh,
      organization: refresh,
      visibility: refreshAll,
      // The assignee left, without an event for each chat.
      memberLeft: refreshAll,
      teamRemoved: refreshAll,
    },
    refreshAll,
  )
  return (
    <div className="contact-card">
      {!contact && canReply && isUnwritten(error, phone) ? (
        <div className="contact-part contact-first">
          <p className="fine">{t('contact.unwritten')}</p>
        </div>
      ) : error && (!contact || isRefused(error)) ? (
        <div className="contact-part contact-first">
          <Fault>{failureText(error)}</Fault>
        </div>
      ) : contact ? (
        <Details
          key={contact.id}
          org={org}
          phone={phone}
          contact={contact}
          canReply={canReply}
          {...(onLeave ? { onLeave } : {})}
        />
      ) : (
        <div role="status" aria-label={t('contact.loading')}>
          <ContactWaits />
        </div>
      )}
    </div>
  )
}
