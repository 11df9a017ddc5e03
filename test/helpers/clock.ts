import type { Clock } from '#server/platform/time/clock.ts'

/** A clock that stands still until a test moves it. */
export interface HandClock extends Clock {
  set(iso: string): void
  advance(ms: number): void
}

export const handClock = (start = '2026-11-20T13:00:00.000Z'): HandClock => {
  let now = Date.parse(start)
  return {
    now: () => new Date(now),
    set: iso => {
      now = Date.parse(iso)
    },
    advance: ms => {
      now += ms
    },
  }
}
