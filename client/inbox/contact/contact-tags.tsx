import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { roleCan } from '#shared/kernel/permissions.ts'
import { useRole } from '../thread/thread-access.ts'
import { useChatTags } from './use-chat-tags.ts'

const TagMenu = lazyDialog(() => import('#client/tags/tag-menu.tsx'))

interface ContactTagsProps {
  readonly org: string
  readonly conversation: Conversation
  readonly canReply: boolean
}

/** All tags of a contact, to add and remove. */
export const ContactTags = ({ org, conversation, canReply }: ContactTagsProps) => {
  const { t } = useTranslation('inbox')
  const role = useRole()
  const { tags, change } = useChatTags(org, conversation, t)
  const button = useRef<HTMLButtonElement>(null)
  const [isOpen, setIsOpen] = useState(false)
  if (!tags.length && !canReply) return null
  return (
    <section className="contact-part" aria-label={t('contact.tags')}>
      <h3>
        {t('contact.tags')}
        {canReply ? (
          <button
            ref={button}
            type="button"
            className="link"
            aria-haspopup="dialog"
            aria-expanded={isOpen}
            onClick={() => setIsOpen(true)}
          >
            {t(tags.length ? 'contact.changeTags' : 'contact.add')}
          </button>
        ) : null}
      </h3>
      {tags.length ? (
        <ul className="contact-tags">
          {tags.map(({ id, label, hue }) => (
            <li key={id} className={`tag tag-box hue-${hue}`} dir="auto">
              {label}
            </li>
          ))}
        </ul>
      ) : null}
      {isOpen && button.current ? (
        <TagMenu
          org={org}
          anchor={button.current}
          chosen={tags}
          canManage={roleCan(role, 'member:manage')}
          onChange={change}
          onClose={() => setIsOpen(false)}
        />
      ) : null}
    </section>
  )
}
