import { useState } from 'react'

/** What is seen of something that is scrolled. `at`: where it begins, in px from the end the scroller counts from. */
export interface Seen {
  readonly at: number
  readonly height: number
}

const framesAhead = 2

/**
 * What is seen now and will have been seen two frames from now, at the speed at which it has moved since this was asked
 * last. Who moved by more than they see has jumped, and stays there.
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
