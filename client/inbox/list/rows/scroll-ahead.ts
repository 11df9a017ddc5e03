import { useState } from 'react'

/** The visible part of a scroller. `at`: its start, in px from the end that the scroller counts from. */
export interface Seen {
  readonly at: number
  readonly height: number
}

const framesAhead = 2

/**
 * The visible part extended by where it will be in two frames, at the current speed. A movement by more than its height
 * is a jump and is not extended.
 */
export const createScrollAhead = () => {
  let last = 0
  return ({ at, height }: Seen): Seen => {
    const step = at - last
    const moves = Math.abs(step) > height ? 0 : framesAhead * step
    last = at
    return { at: at + Math.min(0, moves), height: height + Math.abs(moves) }
  }
}

export const useScrollAhead = () => useState(createScrollAhead)[0]
