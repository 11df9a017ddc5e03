import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { usePageCommands } from '#client/palette/page-commands.ts'
import { lazyDialog } from '#client/ui/overlays/lazy-dialog.tsx'
import { openPopover } from '#client/ui/overlays/open-popover.ts'
import { areSingleKeysOn } from '#client/ui/page/single-keys.ts'
import { focusComposer } from './composer/composer-focus.ts'
import { useSingleKeys } from './key-place.ts'
import { isHere, isOpen, openNextUnread, rows } from './list/next-unread.ts'
import { useSearchChat } from './thread/head/search-chat.ts'

const KeySheet = lazyDialog(() => import('./key-sheet.tsx'))

/** Relative to the focused row, or the open one. */
const step = (by: 1 | -1) => {
  const all = rows()
  const focused = all.findIndex(isHere)
  const here = focused >= 0 ? focused : all.findIndex(isOpen)
  const next = here < 0 ? all[0] : all[here + by]
  next?.focus()
}

/** Shortcuts while the focus is in the list or the thread. Buttons declare their key with `data-key`. */
const keys: Readonly<Record<string, () => void>> = {
  j: () => step(1),
  k: () => step(-1),
  n: openNextUnread,
  r: focusComposer,
  '/': () => document.querySelector<HTMLElement>('.list-search input')?.focus(),
}

const press = (key: string): boolean => {
  const button = document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)
  button?.click()
  return button !== null
}

/** Handles the inbox's keyboard shortcuts and shows their list. */
export const InboxKeys = ({ org, phone }: { org: string; phone: string | undefined }) => {
  const { t } = useTranslation('inbox')
  const [isSheetOpen, setIsSheetOpen] = useState(false)
  const searchChat = useSearchChat(org, phone ?? '')
  useSingleKeys(event => {
    const { key } = event
    if (event.repeat && key !== 'j' && key !== 'k') return false
    // MUI's dialogs are not `dialog` elements.
    if (document.querySelector(openPopover) || document.querySelector('[role="dialog"]')) return false
    if (!areSingleKeysOn()) return false
    if (key === '?') setIsSheetOpen(true)
    else if (key === 'f' && phone) searchChat()
    else if (Object.hasOwn(keys, key)) keys[key]?.()
    else return ['a', 'c', 'e', 'h', 'p', 't', 'u'].includes(key) && press(key)
    return true
  })
  usePageCommands([{ id: 'keys', title: t('keys.title'), icon: 'info', hint: '?', run: () => setIsSheetOpen(true) }])
  return isSheetOpen ? <KeySheet onClose={() => setIsSheetOpen(false)} /> : null
}
