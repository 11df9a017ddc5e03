import { useMemo, useRef } from 'react'
import { useIsomorphicLayoutEffect } from '#client/ui/page/steady.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { type Block, partIntoBlocks } from './thread-blocks.ts'

/** The blocks of a thread; what changes in it changes those blocks only in which it stands. */
export function useBlocks(messages: readonly Message[]): readonly Block[] {
  const known = useRef<readonly Block[]>([])
  const blocks = useMemo(() => partIntoBlocks(messages, known.current), [messages])
  useIsomorphicLayoutEffect(() => {
    known.current = blocks
  }, [blocks])
  return blocks
}
