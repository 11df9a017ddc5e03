import type { KeyboardEvent } from 'react'
import { useNavigate } from 'react-router'
import { isComposing } from '#client/ui/controls/composing.ts'
import { openPopover } from '#client/ui/overlays/open-popover.ts'
import { paths } from '#shared/kernel/paths.ts'
import { useListSearch } from './list/list-address.ts'

/**
 * Escape in a chat: cancels the reply, then leaves the chat for its row in the list or, with one pane, for the list.
 */
export function useLeaveOnEscape(org: string, isReplying: boolean, cancelReply: () => void) {
  const navigate = useNavigate()
  const search = useListSearch()
  return (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event.nativeEvent)) return
    if (document.querySelector(openPopover)) return
    event.preventDefault()
    if (isReplying) return cancelReply()
    const row =
      document.querySelector<HTMLElement>('a:is(.row, .hit)[aria-current="true"]') ??
      document.querySelector<HTMLElement>('a:is(.row, .hit)')
    if (row?.checkVisibility()) row.focus()
    else void navigate(paths.chats(org) + search)
  }
}
