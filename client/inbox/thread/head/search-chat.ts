import { useTranslation } from 'react-i18next'
import { useNavigate } from 'react-router'
import { searchWithin } from '#client/inbox/list/list-address.ts'
import { Icon } from '#client/ui/pictures/icon.tsx'
import { paths } from '#shared/kernel/paths.ts'

/** Opens the search of one chat: beside it, or with one pane in the list. */
export const useSearchChat = (org: string, phone: string) => {
  const navigate = useNavigate()
  return () => {
    const hasList = document.querySelector<HTMLElement>('.inbox-list')?.offsetParent != null
    void navigate((hasList ? paths.chat(org, phone) : paths.chats(org)) + searchWithin(phone))
  }
}

interface SearchChatProps {
  readonly org: string
  /** The address of the chat. */
  readonly phone: string
  onLeave(): void
}

export const SearchChat = ({ org, phone, onLeave }: SearchChatProps) => {
  const { t } = useTranslation('inbox')
  const search = useSearchChat(org, phone)
  return (
    <section className="contact-part">
      <button
        type="button"
        className="button button-quiet"
        onClick={() => {
          onLeave()
          search()
        }}
      >
        <Icon name="search" />
        {t('search.chat')}
      </button>
    </section>
  )
}
