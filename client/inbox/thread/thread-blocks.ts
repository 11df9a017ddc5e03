import type { Message } from '#shared/inbox/messages.ts'

/** A screen is two or three of them: what comes into sight is drawn in steps too small to be felt. */
export const messagesPerBlock = 6

/** One name for a message from its first bubble in this browser to its last status. */
export const messageKey = (message: Message): string => message.clientKey ?? message.id

/** Messages that are drawn, and taken out of the page, together. */
export interface Block {
  readonly key: string
  readonly messages: readonly Message[]
  /** The one before its first. */
  readonly before: Message | undefined
}

const isSame = (a: Block, b: Block) =>
  a.before === b.before &&
  a.messages.length === b.messages.length &&
  a.messages.every((one, i) => one === b.messages[i])

/**
 * Parts a thread into blocks. What is added at either end moves no border there was, so that nobody's place changes by it,
 * and a block of which nothing has changed is the same object.
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

/** How many blocks hold the first page of a thread. */
export const blocksOf = (messages: number): number => Math.ceil(messages / messagesPerBlock)
