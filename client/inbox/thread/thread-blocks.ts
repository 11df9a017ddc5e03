import type { Message } from '#shared/inbox/messages.ts'

/** A screen shows two or three blocks, so rendering one is not noticeable. */
export const messagesPerBlock = 6

/** One key for a message from its first bubble in this browser on. */
export const messageKey = (message: Message): string => message.clientKey ?? message.id

/** Messages that are rendered, and removed from the page, together. */
export interface Block {
  readonly key: string
  readonly messages: readonly Message[]
  /** The message before its first. */
  readonly before: Message | undefined
}

const isSame = (a: Block, b: Block) =>
  a.before === b.before &&
  a.messages.length === b.messages.length &&
  a.messages.every((one, i) => one === b.messages[i])

/**
 * Splits a thread into blocks. Adding messages at either end keeps existing borders, and unchanged blocks are the same
 * objects.
 */
export function partIntoBlocks(messages: readonly Message[], known: readonly Block[] = []): readonly Block[] {
  const before = new Map(known.map(block => [block.key, block]))
  const blocks: Block[] = []
  let from = 0
  const close = (end: number) => {
    const [first] = messages.slice(from, from + 1)
    if (!first || end <= from) return
    const made = { key: messageKey(first), messages: messages.slice(from, end), before: messages[from - 1] }
    const old = before.get(made.key)
    blocks.push(old && isSame(old, made) ? old : made)
    from = end
  }
  for (const [i, message] of messages.entries())
    if (i - from >= messagesPerBlock || before.has(messageKey(message))) close(i)
  close(messages.length)
  return blocks
}

/** The number of blocks of a thread's first page. */
export const blocksOf = (messages: number): number => Math.ceil(messages / messagesPerBlock)
