import './contact-dialog.css'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { queryFor } from '#client/queries.ts'
import { useEvents } from '#client/shell/live-provider.tsx'
import { tagsHtml } from '#client/tags/tag-html.ts'
import { CopyButton } from '#client/ui/copy-button.tsx'
import { Fault } from '#client/ui/field.tsx'
import { useMarkup } from '#client/ui/markup.tsx'
import { useMoment } from '#client/ui/moment.tsx'
import { Modal } from '#client/ui/mui-dialog.tsx'
import { useKnownAnswer } from '#client/use-answer.ts'
import { useFailureText } from '#client/use-api.ts'
import { addressOfConversation } from '#shared/chat-address.ts'
import type { Contact } from '#shared/contacts.ts'
import type { Conversation } from '#shared/conversations.ts'
import { nameOfNumber } from '#shared/number-name.ts'
import { paths } from '#shared/paths.ts'
import { ContactBlock } from './contact-block.tsx'
import { ContactErasure } from './contact-erasure.tsx'
import { ContactFields } from './contact-fields.tsx'
import { ContactMerge } from './contact-merge.tsx'
import { ContactName } from './contact-name.tsx'
import { ContactNote } from './contact-note.tsx'
import { Gallery } from './gallery.tsx'
import { contactQuery } from './queries.ts'

interface ContactDialogProps {
  readonly org: string
  /** The address of the chat. */
  readonly phone: string
  /** What the contact is called where it was opened. */
  readonly name: string
  readonly canReply: boolean
  onClose(): void
}

const Tags = ({ tags }: { tags: Conversation['tags'] }) => (
  // biome-ignore lint/security/noDangerouslySetInnerHtml: made by `html`, which escapes
  <span className="contact-tags" dangerouslySetInnerHTML={useMarkup(tagsHtml(tags))} />
)

const Identifiers = ({ identifiers }: Pick<Contact, 'identifiers'>) => {
  const { t } = useTranslation('inbox')
  return (
    <section className="contact-part">
      <h3>{t('contact.identifiers')}</h3>
      <ul>
        {identifiers.map(({ kind, value, shown }, place) => (
          <li key={`${kind} ${value}`} className="contact-identifier">
            <div>
              <small>
                {t(`contact.${kind}`)}
                {identifiers[place - 1]?.kind === kind ? ` · ${t('contact.former')}` : null}
              </small>
              <span>{shown}</span>
            </div>
            <CopyButton
              value={kind === 'phone' ? `+${value}` : value}
              label={t('contact.copy', { value: shown })}
              done={t('contact.copied')}
              failed={t('contact.copyFailed')}
            />
          </li>
        ))}
      </ul>
    </section>
  )
}

const Conversations = ({ org, conversations, onClose }: Pick<ContactDialogProps, 'org' | 'onClose'> & Contact) => {
  const { t } = useTranslation('inbox')
  const waba = useKnownAnswer(queryFor(org, 'numbers.getWaba', {}))
  if (conversations.length < 2) return null
  return (
    <section className="contact-part">
      <h3>{t('contact.conversations')}</h3>
      <ul>
        {conversations.map(one => (
          <li key={one.id}>
            <Link to={paths.chat(org, addressOfConversation(one))} onClick={onClose}>
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

const Details = ({
  org,
  phone,
  contact,
  canReply,
  onClose,
}: Omit<ContactDialogProps, 'name'> & { contact: Contact }) => {
  const { t, i18n } = useTranslation('inbox')
  const { timeZone } = useMoment()
  const dayOf = (at: string) =>
    new Intl.DateTimeFormat(i18n.language, { dateStyle: 'long', timeZone }).format(new Date(at))
  const [first] = contact.conversations
  const lastAt = contact.conversations
    .flatMap(({ lastMessage }) => (lastMessage ? [lastMessage.at] : []))
    .sort()
    .at(-1)
  return (
    <>
      {first && (first.tags.length || first.optOut || contact.block) ? (
        <div className="contact-chips">
          {contact.block ? <span className="chip chip-red">{t('contact.blockedChip')}</span> : null}
          {first.optOut ? <span className="chip chip-amber">{t('optOut.chip')}</span> : null}
          {first.tags.length ? <Tags tags={first.tags} /> : null}
        </div>
      ) : null}
      <div className="contact-part">
        {canReply ? <ContactName key={contact.id} org={org} phone={phone} contact={contact} /> : null}
        <p>
          {contact.profileName ? t('contact.profileName', { name: contact.profileName }) : t('contact.noProfileName')}
        </p>
      </div>
      {canReply ? (
        <ContactNote key={`note ${contact.id}`} org={org} phone={phone} contact={contact} />
      ) : contact.note ? (
        <p className="contact-part contact-noted">{contact.note}</p>
      ) : null}
      <ContactFields key={`fields ${contact.id}`} org={org} phone={phone} contact={contact} canReply={canReply} />
      {contact.identifiers.length ? <Identifiers identifiers={contact.identifiers} /> : null}
      <Gallery org={org} phone={phone} />
      <Conversations {...contact} org={org} onClose={onClose} />
      <div className="contact-part">
        <p>
          {t('contact.since', { when: dayOf(contact.createdAt) })}
          {lastAt ? ` ${t('contact.lastActivity', { when: dayOf(lastAt) })}` : null}
        </p>
      </div>
      <ContactMerge org={org} phone={phone} contact={contact} />
      <ContactBlock org={org} phone={phone} contact={contact} />
      <ContactErasure org={org} phone={phone} contact={contact} onClose={onClose} />
    </>
  )
}

/** Who a chat is with: what they are called, by what they are recognized, and where else they wrote to. */
export default function ContactDialog({ org, phone, name, canReply, onClose }: ContactDialogProps) {
  const { t } = useTranslation('inbox')
  const { t: common } = useTranslation('common')
  const client = useQueryClient()
  const failureText = useFailureText()
  const query = contactQuery(org, phone)
  const { data: contact, error } = useQuery({ ...query, refetchOnMount: 'always' })
  const refresh = () => void client.invalidateQueries({ queryKey: query.queryKey })
  useEvents(
    {
      conversation: ({ conversation }) => {
        if (!contact || contact.conversations.some(({ phone }) => phone === conversation.phone)) refresh()
      },
      tags: refresh,
      organization: refresh,
      visibility: refresh,
    },
    refresh,
  )
  return (
    <Modal title={name} width={480} onClose={onClose}>
      {error ? <Fault>{failureText(error)}</Fault> : null}
      {contact && !error ? (
        <Details org={org} phone={phone} contact={contact} canReply={canReply} onClose={onClose} />
      ) : null}
      {contact || error ? null : <p className="lead">{t('contact.loading')}</p>}
      <div className="dialog-buttons">
        <button type="button" className="button" onClick={onClose}>
          {common('close')}
        </button>
      </div>
    </Modal>
  )
}
