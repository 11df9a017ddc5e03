import { useVirtualizer } from '@tanstack/react-virtual'
import type { ReactNode, RefObject } from 'react'
import type { Conversation } from '#shared/inbox.ts'
import { rowHeightPx } from './row.tsx'

export interface VirtualRowsProps {
  /** What scrolls. */
  box: RefObject<HTMLElement | null>
  conversations: readonly Conversation[]
  draw: (conversation: Conversation) => ReactNode
}

/** Of a long list, the rows around what is seen. */
export const VirtualRows = ({ box, conversations, draw }: VirtualRowsProps) => {
  const virtualizer = useVirtualizer({
    count: conversations.length,
    getScrollElement: () => box.current,
    initialOffset: () => box.current?.scrollTop ?? 0,
    estimateSize: () => rowHeightPx,
    overscan: 8,
    getItemKey: index => conversations[index]?.id ?? index,
  })
  return (
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
  )
}
