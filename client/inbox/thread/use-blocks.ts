import { useMemo, useRef } from 'react'
import { useIsomorphicLayoutEffect } from '#client/ui/page/steady.ts'
import type { Message } from '#shared/inbox/messages.ts'
import { type Block, partIntoBlocks } from './thread-blocks.ts'

/** A thread's blocks. A change replaces only the blocks that contain it. */
export function useBlocks(messages: readonly Message[]): readonly Block[] {
  const known = useRef<readonly Block[]>([])
  const blocks = useMemo(() => partIntoBlocks(messages, known.current), [messages])
  useIsomorphicLayoutEffect(() => {
    known.current = blocks
  }, [blocks])
  return blocks
}
