import { useVirtualizer } from '@tanstack/react-virtual'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useLinkPresses } from '#client/ui/link-presses.ts'
import { addressOfConversation } from '#shared/chat-address.ts'
import type { Conversation } from '#shared/inbox.ts'
import { Row, type RowProps } from './row.tsx'

const rowHeightPx = 76
/** Below it every row stands in the document: cheaper than measuring, and complete in the first HTML. */
const virtualAbove = 90
const moreWithinRows = 10

export interface RowsProps extends Omit<RowProps, 'conversation' | 'selected' | 'draft'> {
  conversations: readonly Conversation[]
  openPhone: string | undefined
  drafts: Readonly<Record<string, string>>
  hasMore: boolean
  loadingMore: boolean
  onMore: () => void
  label: string
  foot: string | null
}

/** Arrow keys walk the rows; the links themselves open. */
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

/** The rows of the list, endless: the next page is asked for before the end is reached. */
export const Rows = (props: RowsProps) => {
  const { conversations, openPhone, drafts, hasMore, loadingMore, onMore, label, foot, ...row } = props
  const box = useRef<HTMLElement>(null)
  const press = useLinkPresses()
  const [ready, setReady] = useState(false)
  useEffect(() => setReady(true), [])
  const virtual = ready && conversations.length > virtualAbove
  const virtualizer = useVirtualizer({
    count: conversations.length,
    enabled: virtual,
    getScrollElement: () => box.current,
    estimateSize: () => rowHeightPx,
    overscan: 8,
    getItemKey: index => conversations[index]?.id ?? index,
  })

  const watch = (element: HTMLElement) => {
    const leftPx = element.scrollHeight - element.scrollTop - element.clientHeight
    if (hasMore && !loadingMore && leftPx < moreWithinRows * rowHeightPx) onMore()
  }
  const draw = (conversation: Conversation) => {
    const address = addressOfConversation(conversation)
    const selected = address === openPhone
    const draft = selected ? undefined : drafts[address]
    return <Row key={conversation.id} conversation={conversation} selected={selected} draft={draft} {...row} />
  }
  return (
    <nav
      ref={box}
      className="rows"
      aria-label={label}
      onClick={press}
      onKeyDown={walk}
      onScroll={event => watch(event.currentTarget)}
    >
      {virtual ? (
        <div className="rows-inner" style={{ height: virtualizer.getTotalSize() }}>
          {virtualizer.getVirtualItems().map(item => {
            const conversation = conversations[item.index]
            return conversation ? (
              <div key={item.key} style={{ position: 'absolute', top: item.start, left: 0, right: 0 }}>
                {draw(conversation)}
              </div>
            ) : null
          })}
        </div>
      ) : (
        conversations.map(draw)
      )}
      {foot ? <div className="list-foot">{foot}</div> : null}
    </nav>
  )
}
