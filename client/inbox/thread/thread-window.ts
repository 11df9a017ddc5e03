import type { Seen } from '#client/inbox/list/scroll-ahead.ts'
import { type Block, messagesPerBlock } from './thread-blocks.ts'

/** Of a message nobody has seen yet, until it is drawn and measured. */
const guessedPx = 58
/** So far beyond what is seen it is drawn, and so far it stays. */
const aheadPx = 1000
const staysPx = 1800
/** What cannot wait is drawn with no more than this: the rest follows between the frames, before somebody is there again. */
export const urgentPx = 500

/** One line, right below another one of the same hand. */
const leastPx = 36

/** How many blocks fill so much of the screen, however little was said in each message. */
export const blocksFilling = (px: number): number => Math.max(1, Math.ceil(px / (messagesPerBlock * leastPx)))

/** Which blocks are in the page, counted from the newest. */
export interface Drawn {
  /** So many of the newest are not. */
  readonly below: number
  readonly count: number
  /** Others that must not go: somebody listens to one, has the focus in it, or marks its words. */
  readonly held: readonly string[]
}

export const heightOf = (block: Block, heights: ReadonlyMap<string, number>): number =>
  heights.get(block.key) ?? block.messages.length * guessedPx

/** The blocks that reach from `low` to `high`, both in px from the end. */
const between = (blocks: readonly Block[], heights: ReadonlyMap<string, number>, low: number, high: number) => {
  let [at, below, count] = [0, 0, 0]
  for (let i = blocks.length - 1; i >= 0 && at < high; i -= 1) {
    at += heightOf(blocks[i] as Block, heights)
    if (at <= low && i > 0) below += 1
    else count += 1
  }
  return { below, count }
}

/** The one that reaches so far from the end, px. */
export const blockAt = (blocks: readonly Block[], heights: ReadonlyMap<string, number>, px: number) => {
  let at = 0
  return blocks.findLast(block => {
    at += heightOf(block, heights)
    return at >= px
  })
}

/**
 * What is to be drawn where so much is seen, counted from the end: `more` px than is seen, and of what is drawn already
 * whatever is near.
 */
export function drawnAt(
  blocks: readonly Block[],
  heights: ReadonlyMap<string, number>,
  seen: Seen,
  now: Drawn,
  more = aheadPx,
): Drawn {
  const { at, height } = seen
  const wanted = between(blocks, heights, at - more, at + height + more)
  const near = between(blocks, heights, at - staysPx, at + height + staysPx)
  const top = (part: { below: number; count: number }) => part.below + part.count
  const below = Math.min(wanted.below, Math.max(now.below, near.below))
  const end = Math.max(top(wanted), Math.min(top(now), top(near)))
  return below === now.below && end - below === now.count ? now : { below, count: end - below, held: now.held }
}

/** Whether everything that is seen is drawn. */
export const covers = (
  { below, count }: Drawn,
  blocks: readonly Block[],
  heights: ReadonlyMap<string, number>,
  { at, height }: Seen,
): boolean => {
  const seen = between(blocks, heights, at, at + height)
  return below <= seen.below && below + count >= seen.below + seen.count
}

/** Around one of them: the first look at a message that was searched for. */
export const drawnAround = (blocks: readonly Block[], index: number, count: number): Drawn => {
  const after = blocks.length - 1 - index
  const below = Math.max(0, after - Math.floor(count / 2))
  return { below, count, held: [] }
}

export type Segment = { readonly block: Block } | { readonly key: string; readonly spacePx: number }

/** What stands in the page, oldest first: blocks, and empty space of the height of those that are not drawn. */
export function segmentsOf(blocks: readonly Block[], heights: ReadonlyMap<string, number>, drawn: Drawn): Segment[] {
  const segments: Segment[] = []
  const end = blocks.length - drawn.below
  const held = new Set(drawn.held)
  let spacePx = 0
  let space = 'above'
  const closeSpace = () => {
    if (spacePx > 0) segments.push({ key: space, spacePx })
    spacePx = 0
  }
  for (const [i, block] of blocks.entries()) {
    if ((i < end && i >= end - drawn.count) || held.has(block.key)) {
      closeSpace()
      segments.push({ block })
      space = `after ${block.key}`
    } else spacePx += heightOf(block, heights)
  }
  closeSpace()
  return segments
}
