import type { Seen } from '../list/rows/scroll-ahead.ts'

/** A message's position: px from its end to the thread's end, independent of scrolling. */
export interface ReadingPlace {
  readonly id: string
  readonly below: number
}

const drawnBlocks = (scroller: Element) => scroller.querySelectorAll<HTMLElement>('[data-block]')
const bottomOf = (element: Element | null | undefined) => element?.getBoundingClientRect().bottom ?? 0

/** Null when it is not rendered. */
export const messageIn = (scroller: Element, id: string): HTMLElement | null =>
  scroller.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`)

/** Undefined when it is no longer rendered. */
export const placeBelow = (scroller: Element, id: string): number | undefined => {
  const message = messageIn(scroller, id)
  return message ? bottomOf(scroller.firstElementChild) - bottomOf(message) : undefined
}

/** The reading position: the message in the middle of the visible part. `guess`: the block it is probably in. */
export const scrolledPlace = (scroller: Element, guess?: string): ReadingPlace | undefined => {
  const box = scroller.getBoundingClientRect()
  const middle = box.top + box.height / 2
  const reaches = (element: Element) => bottomOf(element) >= middle
  const guessed =
    guess === undefined ? null : scroller.querySelector<HTMLElement>(`[data-block="${CSS.escape(guess)}"]`)
  const { top = 0, bottom = 0 } = guessed?.getBoundingClientRect() ?? {}
  const blocks = guessed && top < middle && bottom >= middle ? [guessed] : [...drawnBlocks(scroller)]
  const block = blocks.find(reaches) ?? blocks.at(-1)
  const messages = [...(block?.querySelectorAll<HTMLElement>('[data-message]') ?? [])]
  const message = messages.find(reaches) ?? messages.at(-1)
  const id = message?.dataset.message
  return message && id !== undefined
    ? { id, below: bottomOf(scroller.firstElementChild) - bottomOf(message) }
    : undefined
}

/** True if the place is near the middle of the visible part, so that no other must be searched. */
export const isInMiddle = (place: ReadingPlace | undefined, { at, height }: Seen): boolean =>
  place !== undefined && Math.abs(place.below - at - height / 2) < height / 6

/** Blocks with the focus, a text selection, or playing audio must stay when they are out of view. */
export const busyBlocks = (scroller: Element): string[] => {
  const selection = getSelection()
  const isMarking = selection !== null && !selection.isCollapsed
  const isBusy = (block: Element) =>
    block.contains(document.activeElement) ||
    (isMarking && selection.containsNode(block, true)) ||
    [...block.querySelectorAll<HTMLMediaElement>('audio, video')].some(media => !media.paused)
  return [...drawnBlocks(scroller)].filter(isBusy).map(block => block.dataset.block ?? '')
}
