import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { InboxT } from './words.ts'

/**
 * Shows the first items of a list in a message, and the others on a click. A message may list a thousand, and rendering
 * a page of fifty such messages would block the server.
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
  // The pressed button is gone, so Tab continues at the first new item.
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
