import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../clock.ts'

/**
 * How what goes to many by one number leaves one after another. What is claimed leaves at once: whatever a process that
 * dies had claimed and not sent, nobody sends again.
 */
export interface Spacing {
  /** So many a second of this key from now on. */
  setPace(key: string, perSecond: number): void
  /** So many may be taken now; with none, in how long somebody should look again. */
  free(key: string): { readonly count: number; readonly inMs: number }
  /** One of those is taken. */
  take(key: string): void
  /** Waits until the second before has room for one more, as it nearly always has. */
  reach(key: string): Promise<void>
}

export interface SpacingParts {
  nowMs?(): number
  pause?(ms: number): Promise<unknown>
}

/** Until somebody says how fast: as slowly as any number may. */
const unknownPerSecond = 20
/** Of so long, those that leave are taken together: each time is a commit, and another one when they have left. */
const togetherMs = 160
/** As many as one commit takes: whatever a process that dies has taken is not known to have left. */
const mostTogether = 64
/** What was missed for no longer than this is made up for; whoever waits for the others of their time has missed nothing. */
const madeUpMs = togetherMs + 190
/** A little slower than asked for: what is sent evenly arrives a little less so. */
const slower = 1.008
const secondMs = 1005

interface Line {
  perSecond: number
  /** When the next would leave at an even pace. */
  due: number
  /** When the last ones left, as many as a second has room for; `next` is the oldest. */
  left: number[]
  next: number
}

/** Even within a process, and never more in any second than was said. */
export function createSpacing({ nowMs = monotonicMs, pause: wait = pause }: SpacingParts = {}): Spacing {
  const lines = new Map<string, Line>()

  const lineOf = (key: string): Line => {
    let line = lines.get(key)
    if (!line) {
      line = { perSecond: unknownPerSecond, due: 0, left: [], next: 0 }
      lines.set(key, line)
    }
    return line
  }
  const gapMs = ({ perSecond }: Line) => (1000 * slower) / perSecond
  const dueOf = (line: Line, now: number) => Math.max(line.due, now - madeUpMs)

  /** When a second has room for one more. */
  const roomAt = ({ left, next, perSecond }: Line): number =>
    left.length < perSecond ? 0 : (left[next] as number) + secondMs

  const note = (line: Line, at: number) => {
    if (line.left.length < line.perSecond) {
      line.left.push(at)
      return
    }
    line.left[line.next] = at
    line.next = (line.next + 1) % line.left.length
  }

  return {
    setPace(key, perSecond) {
      const line = lineOf(key)
      if (line.perSecond === perSecond) return
      const inOrder = [...line.left.slice(line.next), ...line.left.slice(0, line.next)]
      line.left = inOrder.slice(-perSecond)
      line.next = 0
      line.perSecond = perSecond
    },

    free(key) {
      const line = lineOf(key)
      const [now, gap] = [nowMs(), gapMs(line)]
      const together = Math.max(1, Math.min(mostTogether, Math.floor(togetherMs / gap)))
      const due = dueOf(line, now)
      const count = Math.floor((now - due) / gap) + 1
      if (count >= together) return { count, inMs: 0 }
      return { count: 0, inMs: Math.max(1, due + (together - 1) * gap - now) }
    },

    take(key) {
      const line = lineOf(key)
      line.due = dueOf(line, nowMs()) + gapMs(line)
    },

    async reach(key) {
      const line = lineOf(key)
      for (;;) {
        const now = nowMs()
        const from = roomAt(line)
        if (from <= now) return note(line, now)
        await wait(Math.max(1, from - now))
      }
    },
  }
}
