import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '../clock.ts'

/**
 * How what goes to many by one number leaves one after another, evenly, though it is claimed in groups: a commit for each
 * would be too many. Whatever a process that dies had claimed and not sent, nobody sends again, so a group is small.
 */
export interface Spacing {
  /** So many a second of this key from now on. */
  setPace(key: string, perSecond: number): void
  /** So many may be taken now; with none, in how long somebody should look again. */
  free(key: string): { readonly count: number; readonly inMs: number }
  /** One of those is taken. */
  take(key: string): void
  /** Waits for the turn of one that was taken: behind those that came before, at its pace, and where a second has room. */
  reach(key: string): Promise<void>
}

export interface SpacingParts {
  nowMs?(): number
  pause?(ms: number): Promise<unknown>
  /** What has its turn is on the wire when this is over. */
  nextTurn?(): Promise<unknown>
}

/** Until somebody says how fast: as slowly as any number may. */
const unknownPerSecond = 20
/** Of so long, those that leave are taken together: each time is a commit, and another one when they have left. */
const togetherMs = 160
/** As many as one commit takes: whatever a process that dies has taken is not known to have left. */
const mostTogether = 64
/** What was missed for no longer than this is made up for; whoever waits for the others of their time has missed nothing. */
const madeUpMs = togetherMs + 190
/** No second of whoever counts where they arrive may hold more than was said, and not all are on their way equally long. */
const secondMs = 1009
/** Of what leaves evenly: what one second took too long another has to have room for. */
const evenSecondMs = 1014
/** Nobody is woken more often than this for the next ones. */
const tickMs = 4
/** So many whose time has come leave in one turn of the event loop: of those that follow one by one each takes a turn. */
const mostInATurn = 8
/** Woken so late, the next ones follow at once; what is later is made up for at the end of the line. */
const lateMs = 50
/** With more waiting than are taken together, they follow each other so much closer. */
const closer = 0.8

interface Line {
  perSecond: number
  /** When the next would be taken at an even pace. */
  due: number
  /** When the next would leave at an even pace. */
  leavesAt: number
  waiting: (() => void)[]
  isLeaving: boolean
  /** When the last ones left, as many as a second has room for; `next` is the oldest. */
  left: number[]
  next: number
}

/** One process's part of what a number may send: together they never exceed it, but at one a second. */
export const partOf = (perSecond: number, processes: number): number => Math.max(1, Math.floor(perSecond / processes))

/** Even within a process, and never more in any second than was said. */
export function createSpacing({
  nowMs = monotonicMs,
  pause: wait = pause,
  nextTurn = () => new Promise<void>(resolve => setImmediate(resolve)),
}: SpacingParts = {}): Spacing {
  const lines = new Map<string, Line>()

  const lineOf = (key: string): Line => {
    let line = lines.get(key)
    if (!line) {
      const empty = { waiting: [], isLeaving: false, left: [], next: 0 }
      line = { perSecond: unknownPerSecond, due: 0, leavesAt: 0, ...empty }
      lines.set(key, line)
    }
    return line
  }
  const gapMs = ({ perSecond }: Line) => evenSecondMs / perSecond
  const togetherOf = (line: Line) => Math.max(1, Math.min(mostTogether, Math.floor(togetherMs / gapMs(line))))
  const dueOf = (line: Line, now: number) => Math.max(line.due, now - madeUpMs)

  /** When a second has room for one more. */
  const roomAt = ({ left, next, perSecond }: Line): number =>
    left.length < perSecond ? 0 : (left[next] as number) + secondMs

  /** Answers what corrects it: it left no later than that, and nobody knows how much earlier. */
  const note = (line: Line, at: number): ((later: number) => void) => {
    const { left } = line
    const isFull = left.length >= line.perSecond
    const spot = isFull ? line.next : left.length
    if (isFull) line.next = (line.next + 1) % left.length
    left[spot] = at
    return later => {
      // With another pace they stand elsewhere.
      if (line.left === left) left[spot] = later
    }
  }

  /** Those whose time has come; when the next one's comes. */
  const takeDue = (line: Line, now: number) => {
    const due: { leave: () => void; correct: (later: number) => void }[] = []
    for (;;) {
      const from = Math.max(roomAt(line), line.leavesAt)
      const leave = from > now || due.length === mostInATurn ? undefined : line.waiting.shift()
      if (!leave) return { due, from }
      due.push({ leave, correct: note(line, now) })
      const gap = gapMs(line) * (line.waiting.length > togetherOf(line) ? closer : 1)
      line.leavesAt = Math.max(line.leavesAt, now - lateMs) + gap
    }
  }

  /** A few after another: they are on the wire before the next ones, so that when they left is known. */
  const leave = async (line: Line): Promise<void> => {
    while (line.waiting.length) {
      const now = nowMs()
      const { due, from } = takeDue(line, now)
      if (due.length) {
        for (const one of due) one.leave()
        await nextTurn()
        const later = nowMs()
        for (const { correct } of due) correct(later)
      } else await wait(Math.max(tickMs, from - now))
    }
    line.isLeaving = false
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
      const together = togetherOf(line)
      // Of those that were taken as many still wait for their turn: the process has more than it can send.
      if (line.waiting.length >= together) return { count: 0, inMs: Math.max(1, together * gap) }
      const due = dueOf(line, now)
      const count = Math.floor((now - due) / gap) + 1
      if (count >= together) return { count, inMs: 0 }
      return { count: 0, inMs: Math.max(1, due + (together - 1) * gap - now) }
    },

    take(key) {
      const line = lineOf(key)
      line.due = dueOf(line, nowMs()) + gapMs(line)
    },

    reach(key) {
      const line = lineOf(key)
      return new Promise(resolve => {
        line.waiting.push(resolve)
        if (line.isLeaving) return
        line.isLeaving = true
        // Nobody was late: there was nobody.
        line.leavesAt = Math.max(line.leavesAt, nowMs())
        void leave(line)
      })
    },
  }
}
