import type { RefObject } from 'react'
import { Menu, MenuItem } from '#client/ui/overlays/menu.tsx'
import { Icon } from '#client/ui/pictures/icon.tsx'
import type { InboxT } from '../../words.ts'

interface HeadMenuProps {
  /** The place at which a picker opens whose button is not shown. */
  readonly place: RefObject<HTMLSpanElement | null>
  readonly canReply: boolean
  readonly muteLabel: string
  onTags(): void
  /** Absent: archived chats are not snoozed. */
  onSnooze: (() => void) | undefined
  onUnread(): void
  onMute(): void
  onSearch(): void
  onText(): void
  onPage(): void
  readonly t: InboxT
}

/** Everything that can be done with a chat and has no button in its head, or only where it is wide. */
export const HeadMenu = ({ place, canReply, muteLabel, onSnooze, t, ...acts }: HeadMenuProps) => (
  <span ref={place} className="head-more">
    <Menu
      label={t('action.menu')}
      className="icon-button"
      side="below-end"
      button={
        <>
          <Icon name="more" />
          <span className="sr-only">{t('action.menu')}</span>
        </>
      }
    >
      {() => (
        <>
          {canReply ? (
            <>
              {onSnooze ? <MenuItem onClick={onSnooze}>{t('snooze.label')}</MenuItem> : null}
              <MenuItem onClick={acts.onTags}>{t('action.tags')}</MenuItem>
              <MenuItem onClick={acts.onUnread}>{t('action.markUnread')}</MenuItem>
            </>
          ) : null}
          <MenuItem onClick={acts.onSearch}>{t('search.chat')}</MenuItem>
          <MenuItem onClick={acts.onMute}>{muteLabel}</MenuItem>
          <MenuItem onClick={acts.onText}>{t('action.exportText')}</MenuItem>
          <MenuItem onClick={acts.onPage}>{t('action.exportPage')}</MenuItem>
        </>
      )}
    </Menu>
  </span>
)
