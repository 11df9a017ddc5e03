import { useNavigate } from 'react-router'
import { searchWithin } from '#client/inbox/list/list-address.ts'
import { paths } from '#shared/kernel/paths.ts'

/** Opens the search of one chat: beside it, or with one pane in the list. */
export const useSearchChat = (org: string, phone: string, options?: { readonly replace: boolean }) => {
  const navigate = useNavigate()
  return () => {
    const hasList = document.querySelector<HTMLElement>('.inbox-list')?.offsetParent != null
    void navigate((hasList ? paths.chat(org, phone) : paths.chats(org)) + searchWithin(phone), options)
  }
}
