import type { Seen } from '../list/rows/scroll-ahead.ts'
import { type Block, messagesPerBlock } from './thread-blocks.ts'

/** Estimated height of a message until it is measured. */
const guessedPx = 58
/** Distance up to which blocks are rendered, and beyond which they are removed. */
const aheadPx = 1000
const staysPx = 1800
/** An urgent rendering covers only this distance; the rest follows between frames. */
export const urgentPx = 500

/** A single line, right below a message of the same author. */
const leastPx = 36

/** The number of blocks that fill a height even if all messages are short. */
export const blocksFilling = (px: number): number => Math.max(1, Math.ceil(px / (messagesPerBlock * leastPx)))

/** The blocks that are in the page, counted from the newest. */
export interface Drawn {
  /** The number of newest blocks that are not in the page. */
  readonly below: number
  readonly count: number
  /** Other blocks that must stay: playing audio, focus, or text selection. */
  readonly held: readonly string[]
}

export const heightOf = (block: Block, heights: ReadonlyMap<string, number>): number =>
  heights.get(block.key) ?? block.messages.length * guessedPx

/** The blocks between `low` and `high`, in px from the end. */
const between = (blocks: readonly Block[], heights: ReadonlyMap<string, number>, low: number, high: number) => {
  let [at, below, count] = [0, 0, 0]
  for (let i = blocks.length - 1; i >= 0 && at < high; i -= 1) {
    at += heightOf(blocks[i] as Block, heights)
    if (at <= low && i > 0) below += 1
    else count += 1
  }
  return { below, count }
}

/** The block at a distance from the end, in px. */
export const blockAt = (blocks: readonly Block[], heights: ReadonlyMap<string, number>, px: number) => {
  let at = 0
  return blocks.findLast(block => {
    at += heightOf(block, heights)
    return at >= px
  })
}

/** Returns the part to render for a visible part: `more` px beyond it, and nearby blocks that are already rendered. */
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

/** True if everything visible is rendered. */
export const covers = (
  { below, count }: Drawn,
  blocks: readonly Block[],
  heights: ReadonlyMap<string, number>,
  { at, height }: Seen,
): boolean => {
  const seen = between(blocks, heights, at, at + height)
  return below <= seen.below && below + count >= seen.below + seen.count
}

/** The blocks around one, for the first view of a searched message. */
export const drawnAround = (blocks: readonly Block[], index: number, count: number): Drawn => {
  const after = blocks.length - 1 - index
  const below = Math.max(0, after - Math.floor(count / 2))
  return { below, count, held: [] }
}

type Segment = { readonly block: Block } | { readonly key: string; readonly spacePx: number }

/** The page's contents, oldest first: blocks, and gaps with the height of blocks that are not rendered. */
export function windowSegments(
  blocks: readonly Block[],
  heights: ReadonlyMap<string, number>,
  drawn: Drawn,
): Segment[] {
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
