import { type KeyboardEvent, startTransition, useEffect, useRef, useState } from 'react'
import { useLinkPresses } from '#client/ui/link-presses.ts'
import { addressOfConversation } from '#shared/chat-address.ts'
import type { Conversation } from '#shared/inbox.ts'
import { type OthersDrafts, whoDrafts } from './drafts.ts'
import { Row, type RowProps, rowHeightPx } from './row.tsx'
import { useRowPicking } from './row-picking.ts'

/** Below it every row stands in the document: cheaper than measuring, and complete in the first HTML. */
const virtualAbove = 90
const moreWithinRows = 10

const loadVirtualRows = () => import('./virtual-rows.tsx').then(part => part.VirtualRows)
type VirtualRows = Awaited<ReturnType<typeof loadVirtualRows>>

/** What draws a long list, once its code is there; a list that grows asks for it again should that have failed. */
const useVirtualRows = (count: number): VirtualRows | undefined => {
  const [Found, setFound] = useState<VirtualRows>()
  const missing = !Found && count > virtualAbove ? count : 0
  useEffect(() => {
    if (!missing) return
    loadVirtualRows().then(
      found => startTransition(() => setFound(() => found)),
      error => console.warn('All rows stay in the document', error),
    )
  }, [missing])
  return count > virtualAbove ? Found : undefined
}

export interface RowsProps extends Omit<RowProps, 'conversation' | 'selected' | 'draft' | 'drafting' | 'picked'> {
  conversations: readonly Conversation[]
  openPhone: string | undefined
  drafts: Readonly<Record<string, string>>
  /** Of colleagues. */
  others: OthersDrafts
  hasMore: boolean
  loadingMore: boolean
  /** Asked again when somebody scrolls, and not by itself. */
  moreFailed: boolean
  onMore: () => void
  label: string
  foot: string | null
  picked: readonly Conversation[]
  /** Absent: nothing can be done to several. `toHere`: all from the one that was chosen last. */
  onPick: ((id: string, toHere: boolean) => void) | undefined
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
  const Virtual = useVirtualRows(conversations.length)

  const watch = (element: HTMLElement) => {
    const leftPx = element.scrollHeight - element.scrollTop - element.clientHeight
    if (hasMore && !loadingMore && leftPx < moreWithinRows * rowHeightPx) onMore()
  }
  // Who stands at the end already does not scroll: on a screen with room for all rows, or where a refresh has cut the list.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at whenever there is more or less of it
  useEffect(() => {
    if (box.current && !moreFailed) watch(box.current)
  }, [conversations.length, hasMore, loadingMore, moreFailed])
  const draw = (conversation: Conversation) => {
    const address = addressOfConversation(conversation)
    const selected = address === openPhone
    const draft = selected ? undefined : drafts[address]
    return (
      <Row
        key={conversation.id}
        conversation={conversation}
        selected={selected}
        draft={draft}
        drafting={whoDrafts(others, address)}
        picked={pickedIds.has(conversation.id)}
        {...row}
      />
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
      onScroll={event => watch(event.currentTarget)}
    >
      {Virtual ? <Virtual box={box} conversations={conversations} draw={draw} /> : conversations.map(draw)}
      {foot ? <div className="list-foot">{foot}</div> : null}
    </nav>
  )
}
