import { useNavigate } from 'react-router'
import { paths } from '#shared/kernel/paths.ts'
import { searchWithin } from '../../list/list-address.ts'

/** Opens the search of one chat: beside it, or with one pane in the list. */
export const useSearchChat = (org: string, phone: string, options?: { readonly replace: boolean }) => {
  const navigate = useNavigate()
  return () => {
    const hasList = document.querySelector<HTMLElement>('.inbox-list')?.offsetParent != null
    void navigate((hasList ? paths.chat(org, phone) : paths.chats(org)) + searchWithin(phone), options)
  }
}
