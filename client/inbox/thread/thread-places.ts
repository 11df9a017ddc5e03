import type { Seen } from '#client/inbox/list/scroll-ahead.ts'

/** Where a message stands: px from its end to the end of the thread, which no scrolling changes. */
export interface ReadingPlace {
  readonly id: string
  readonly below: number
}

const drawnBlocks = (scroller: Element) => scroller.querySelectorAll<HTMLElement>('[data-block]')
const bottomOf = (element: Element | null | undefined) => element?.getBoundingClientRect().bottom ?? 0

/** Null when it is not drawn. */
export const messageIn = (scroller: Element, id: string): HTMLElement | null =>
  scroller.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`)

/** Undefined when it is not drawn any more. */
export const placeBelow = (scroller: Element, id: string): number | undefined => {
  const message = messageIn(scroller, id)
  return message ? bottomOf(scroller.firstElementChild) - bottomOf(message) : undefined
}

/** What is being read: the message in the middle of what is seen. `guess`: the block that should be there. */
export const placeOf = (scroller: Element, guess?: string): ReadingPlace | undefined => {
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

/** Whether it is about in the middle of what is seen: no other one has to be looked for. */
export const isInMiddle = (place: ReadingPlace | undefined, { at, height }: Seen): boolean =>
  place !== undefined && Math.abs(place.below - at - height / 2) < height / 6

/** Blocks in which somebody has the focus, marks words, or listens to something: they must not go when they are out of sight. */
export const busyBlocks = (scroller: Element): string[] => {
  const selection = getSelection()
  const isMarking = selection !== null && !selection.isCollapsed
  const isBusy = (block: Element) =>
    block.contains(document.activeElement) ||
    (isMarking && selection.containsNode(block, true)) ||
    [...block.querySelectorAll<HTMLMediaElement>('audio, video')].some(media => !media.paused)
  return [...drawnBlocks(scroller)].filter(isBusy).map(block => block.dataset.block ?? '')
}
