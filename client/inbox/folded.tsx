import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { InboxT } from './words.ts'

/**
 * The first of what a message lists, the others at a press: one message may list a thousand, a page has fifty messages,
 * and drawing all of it would keep the server from everybody else.
 */
export function Folded<Item>(props: {
  items: readonly Item[]
  first: number
  t: InboxT
  children(item: Item, index: number): ReactNode
}) {
  const { items, first, t, children } = props
  const [isOpen, setIsOpen] = useState(false)
  const count = items.length - first
  const unfolded = useRef<HTMLSpanElement>(null)
  // The pressed button is gone: Tab goes on at the first item that it brought.
  useEffect(() => {
    if (isOpen) unfolded.current?.focus({ preventScroll: true })
  }, [isOpen])
  return (
    <>
      {items.slice(0, first).map(children)}
      {isOpen ? (
        <>
          <span ref={unfolded} className="sr-only" tabIndex={-1} />
          {items.slice(first).map((item, i) => children(item, first + i))}
        </>
      ) : null}
      {isOpen || count <= 0 ? null : (
        <button type="button" className="link" onClick={() => setIsOpen(true)}>
          {t('bubble.more', { count })}
        </button>
      )}
    </>
  )
}
