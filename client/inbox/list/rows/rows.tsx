import { type KeyboardEvent, useEffect, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useLinkPresses } from '#client/ui/page/link-presses.ts'
import { addressOfConversation } from '#shared/inbox/chat-address.ts'
import type { Conversation } from '#shared/inbox/conversations.ts'
import { paths } from '#shared/kernel/paths.ts'
import { type OthersDrafts, whoDrafts } from '../../composer/drafts/drafts.ts'
import { useFurtherUnread } from '../next-unread.ts'
import { useOpenAhead } from './open-ahead.ts'
import { Row, type RowProps } from './row.tsx'
import { useRowPicking } from './row-picking.ts'
import { rowHeightPx, useRowWindow } from './row-window.ts'
import { useStartAtOpen } from './start-at-open.ts'

const moreWithinRows = 10

interface RowsProps extends Omit<RowProps, 'conversation' | 'selected' | 'draft' | 'drafting' | 'picked'> {
  conversations: readonly Conversation[]
  openPhone: string | undefined
  drafts: Readonly<Record<string, string>>
  /** The drafts of colleagues. */
  others: OthersDrafts
  hasMore: boolean
  loadingMore: boolean
  /** Retried when somebody scrolls, not automatically. */
  moreFailed: boolean
  onMore: () => void
  label: string
  foot: string | null
  picked: readonly { readonly id: string }[]
  /** Absent: no actions on several. `toHere`: all from the last selected one. */
  onPick: ((id: string, toHere: boolean) => void) | undefined
}

/** Arrow keys move through rows; the links open chats. */
const walk = (event: KeyboardEvent<HTMLElement>) => {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
  const ends = { Home: 0, End: -1 }[event.key]
  if (step === undefined && ends === undefined) return
  const rows = [...event.currentTarget.querySelectorAll<HTMLElement>('a.row')]
  const here = rows.indexOf(document.activeElement as HTMLElement)
  const target = step === undefined ? rows.at(ends as number) : rows[here + step]
  if (!target) return
  event.preventDefault()
  target.focus()
}

/** The rows of the list. The next page is loaded before the end is reached. */
export const Rows = (props: RowsProps) => {
  const {
    conversations,
    openPhone,
    drafts,
    others,
    hasMore,
    loadingMore,
    moreFailed,
    onMore,
    label,
    foot,
    picked,
    onPick,
    ...row
  } = props
  const box = useRef<HTMLElement>(null)
  const press = useLinkPresses()
  const pickedIds = new Set(picked.map(({ id }) => id))
  const isPicking = picked.length > 0
  const picking = useRowPicking(isPicking, (id, toHere) => onPick?.(id, toHere))
  const { from, to, look } = useRowWindow(box, conversations.length)
  const ahead = useOpenAhead(row.slug, conversations)
  const navigate = useNavigate()
  useFurtherUnread(() => {
    const next = conversations.find(one => one.unread && addressOfConversation(one) !== openPhone)
    if (next) void navigate(paths.chat(row.slug, addressOfConversation(next)) + row.filter)
  })

  useStartAtOpen(box, { conversations, openPhone, canLoad: hasMore && !moreFailed, loadingMore, onMore })

  const watch = (element: HTMLElement) => {
    // With one pane, while a chat is visible, nothing has a height: every page of the list would be loaded.
    if (!element.clientHeight) return
    look()
    const leftPx = element.scrollHeight - element.scrollTop - element.clientHeight
    if (hasMore && !loadingMore && leftPx < moreWithinRows * rowHeightPx) onMore()
  }
  // Who stands at the end already does not scroll: on a screen with room for all rows, or where a refresh has cut the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at whenever there is more or less of it
  useEffect(() => {
    if (box.current && !moreFailed) watch(box.current)
  }, [conversations.length, hasMore, loadingMore, moreFailed])
  const draw = (conversation: Conversation, i: number) => {
    const address = addressOfConversation(conversation)
    const selected = address === openPhone
    const draft = selected ? undefined : drafts[address]
    return (
      // biome-ignore lint/a11y/useSemanticElements: the rows between two of them may not be in the page
      <div
        key={conversation.id}
        role="listitem"
        aria-posinset={from + i + 1}
        aria-setsize={hasMore ? -1 : conversations.length}
      >
        <Row
          conversation={conversation}
          selected={selected}
          draft={draft}
          drafting={whoDrafts(others, address)}
          picked={pickedIds.has(conversation.id)}
          {...row}
        />
      </div>
    )
  }
  return (
    <nav
      ref={box}
      className="rows"
      aria-label={label}
      data-picking={isPicking || undefined}
      onClick={event => {
        if (!onPick || !picking.press(event)) press(event)
      }}
      onKeyDown={event => {
        if (!onPick || !picking.key(event)) walk(event)
      }}
      {...(onPick ? picking.hold : {})}
      {...ahead}
      onScroll={event => watch(event.currentTarget)}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: as above */}
      <div role="list">
        {from > 0 ? <div style={{ height: from * rowHeightPx }} /> : null}
        {conversations.slice(from, to).map(draw)}
        {to < conversations.length ? <div style={{ height: (conversations.length - to) * rowHeightPx }} /> : null}
      </div>
      {foot ? <div className="list-foot">{foot}</div> : null}
    </nav>
  )
}
