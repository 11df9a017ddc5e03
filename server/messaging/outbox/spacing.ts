import { setTimeout as pause } from 'node:timers/promises'
import { monotonicMs } from '#server/platform/time/clock.ts'
import { createWay, type Way } from './way.ts'

/**
 * How what goes to many by one number leaves one after another, evenly, though it is claimed in groups: a commit for each
 * would be too many.
 */
export interface Spacing {
  /** So many a second of this key from now on. */
  setPace(key: string, perSecond: number): void
  /** So many may be taken now; with none, in how long somebody should look again. */
  free(key: string): { readonly count: number; readonly inMs: number }
  /** One of those is taken. */
  take(key: string): void
  /** Waits for the turn of one that was taken: behind those that came before, at its pace, and where a second has room. */
  reach(key: string): Promise<OnItsWay>
  /** The same, and `prepare` is over by then, begun just before; false: it does not leave, nor does it when that throws. */
  reach(key: string, prepare: () => Promise<boolean>): Promise<OnItsWay | undefined>
}

/** Of one that has its turn it is noted when it left, and how late it may have arrived. */
export interface OnItsWay {
  /** It is on the wire only now. */
  written(): void
  /** There is an answer to it. */
  answered(): void
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
/** As many as one commit takes. */
const mostTogether = 64
/** The same of a pace at which as many leave in a fifth of a second anyway. */
const mostOfFast = 128
const fastPerSecond = 5 * mostOfFast
/** What was missed for no longer than this is made up for; whoever waits for the others of their time has missed nothing. */
const madeUpMs = togetherMs + 190
/** No second of whoever counts where they arrive may hold more than was said, and clocks differ by a hair. */
const secondMs = 1003
/** Of what leaves evenly: what one second took too long another has to have room for. */
const evenSecondMs = 1005
/** Not all are on their way equally long. So much longer than the others is one at most that has no answer yet. */
const unansweredMs = 15
/** Nobody is woken more often than this for the next ones. */
const tickMs = 4
/** So many whose time has come leave in one turn of the event loop: of those that follow one by one each takes a turn. */
const mostInATurn = 8
/** Woken so late, the next ones follow at once: more would wait for one another where they arrive. */
const lateMs = 50
/** What is later is owed, so much at most. */
const mostOwedMs = 250
/** While something is owed, or more wait than are taken together, they follow each other so much closer. */
const closer = 0.8
/** Where many wait that may leave at once, they are gone after so long. */
const shortestLookMs = 8

/**
 * What leaves in so long is prepared, or as long as it took the last ones. What leaves a little later is not: when the
 * process dies, nobody knows of what was prepared whether it left.
 */
const leastPreparingMs = 2
const mostPreparingMs = 20
/** At a higher pace than this a commit for each costs too much: those of some milliseconds share one. */
const alonePerSecond = 125
const sharedMs = 8

interface Waiting {
  readonly leave: (way: OnItsWay) => void
  /** False: it does not leave. Never rejects. */
  readonly prepare: () => Promise<boolean>
  state: 'waits' | 'prepares' | 'ready'
}

interface Line {
  perSecond: number
  /** When the next would be taken at an even pace. */
  due: number
  /** When the next would leave at an even pace. */
  leavesAt: number
  owedMs: number
  waiting: Waiting[]
  /** How long the last ones took to be prepared, and that others are. */
  preparingMs: number
  preparing: Promise<void> | undefined
  /** So many, the last ones, of whom nobody has begun to prepare any. */
  unprepared: number
  isLeaving: boolean
  /** When the last one that waited left. */
  emptyAt: number
  /** When the last ones are on the way of the fastest, as many as a second has room for; `next` is the oldest. */
  left: number[]
  next: number
  way: Way
}

interface Leaving extends OnItsWay {
  /** It is written by now, if it did not say so and waits for nothing. */
  passed(): void
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
      const unprepared = { preparingMs: leastPreparingMs, preparing: undefined, unprepared: 0 }
      const empty = {
        waiting: [],
        ...unprepared,
        isLeaving: false,
        emptyAt: Number.NEGATIVE_INFINITY,
        left: [],
        next: 0,
      }
      line = { perSecond: unknownPerSecond, due: 0, leavesAt: 0, owedMs: 0, ...empty, way: createWay() }
      lines.set(key, line)
    }
    return line
  }
  const gapMs = ({ perSecond }: Line) => evenSecondMs / perSecond
  const togetherOf = (line: Line) => {
    const most = line.perSecond >= fastPerSecond ? mostOfFast : mostTogether
    return Math.max(1, Math.min(most, Math.floor(togetherMs / gapMs(line))))
  }
  const dueOf = (line: Line, now: number) => Math.max(line.due, now - madeUpMs)

  /** When a second has room for one more. */
  const roomAt = ({ left, next, perSecond }: Line): number =>
    left.length < perSecond ? 0 : (left[next] as number) + secondMs

  /** When the next one leaves. */
  const leavesFrom = (line: Line): number => Math.max(roomAt(line), line.leavesAt)

  /** One leaves no earlier than that, and nobody knows how much later; it is corrected as it goes. */
  const note = (line: Line, at: number): Leaving => {
    const { left, way } = line
    const isFull = left.length >= line.perSecond
    const spot = isFull ? line.next : left.length
    if (isFull) line.next = (line.next + 1) % left.length
    let writtenAt = at
    let isWritten = false
    let isAnswered = false
    let noted = at + unansweredMs
    left[spot] = noted
    const correct = (to: number) => {
      // With another pace they stand elsewhere, and a second later there is another one.
      if (line.left !== left || left[spot] !== noted) return
      noted = to
      left[spot] = to
    }
    const write = () => {
      if (isAnswered) return
      writtenAt = Math.max(writtenAt, nowMs())
      correct(writtenAt + unansweredMs)
    }
    return {
      written() {
        isWritten = true
        write()
      },
      answered() {
        if (isAnswered) return
        isAnswered = true
        const now = nowMs()
        correct(writtenAt + way.lateMs(now, now - writtenAt))
      },
      passed() {
        if (!isWritten) write()
      },
    }
  }

  /** When the next one should have left; what of that is long ago is owed. */
  const fromWhen = (line: Line, now: number): number => {
    const lostMs = now - lateMs - line.leavesAt
    if (lostMs <= 0) return line.leavesAt
    line.owedMs = Math.min(mostOwedMs, line.owedMs + lostMs)
    return now - lateMs
  }

  const gapFor = (line: Line): number => {
    const gap = gapMs(line)
    if (line.owedMs <= 0 && line.waiting.length <= togetherOf(line)) return gap
    line.owedMs = Math.max(0, line.owedMs - gap * (1 - closer))
    return gap * closer
  }

  /** Those whose time has come; when the next one's comes. */
  const takeDue = (line: Line, now: number) => {
    const due: { leave: (way: OnItsWay) => void; way: Leaving }[] = []
    for (;;) {
      const from = leavesFrom(line)
      const isDue = from <= now && due.length < mostInATurn && line.waiting[0]?.state === 'ready'
      const next = isDue ? line.waiting.shift() : undefined
      if (!next) return { due, from }
      due.push({ leave: next.leave, way: note(line, now) })
      line.leavesAt = fromWhen(line, now) + gapFor(line)
    }
  }

  const prepareAll = async (line: Line, some: readonly Waiting[], since: number) => {
    await Promise.all(
      some.map(async one => {
        if (await one.prepare()) one.state = 'ready'
        else line.waiting.splice(line.waiting.indexOf(one), 1)
      }),
    )
    const tookMs = nowMs() - since
    // Whatever is ready too soon waits for its turn, and is not known to have stayed if the process dies.
    const nextMs = Math.min(tookMs, (line.preparingMs + tookMs) / 2)
    line.preparingMs = Math.min(mostPreparingMs, Math.max(leastPreparingMs, nextMs))
    line.preparing = undefined
  }

  /** Prepares those whose turn is near; when the next ones have to be looked at. */
  const prepareSoon = (line: Line, now: number): number => {
    if (!line.unprepared || line.preparing) return Number.POSITIVE_INFINITY
    const first = line.waiting.length - line.unprepared
    // What is later is owed, and does not leave at once.
    const from = Math.max(leavesFrom(line), now - lateMs)
    const gap = gapMs(line) * closer
    const at = from + first * gap - line.preparingMs
    if (at > now) return at
    const soonMs = line.preparingMs + (line.perSecond > alonePerSecond ? sharedMs : 0)
    const last = Math.max(first, Math.floor((now + soonMs - from) / gap))
    const some = line.waiting.slice(first, last + 1)
    for (const one of some) one.state = 'prepares'
    line.unprepared -= some.length
    line.preparing = prepareAll(line, some, now)
    return Number.POSITIVE_INFINITY
  }

  /** A few after another: they are on the wire before the next ones, so that when they left is known. */
  const leave = async (line: Line): Promise<void> => {
    while (line.waiting.length) {
      const now = nowMs()
      const unpreparedAt = prepareSoon(line, now)
      const { due, from } = takeDue(line, now)
      const head = line.waiting[0]
      if (!due.length && head?.state === 'prepares' && from <= now) await line.preparing
      else if (due.length) {
        for (const { leave, way } of due) leave(way)
        await nextTurn()
        for (const { way } of due) way.passed()
      } else await wait(Math.max(tickMs, Math.min(from, unpreparedAt) - now))
    }
    line.isLeaving = false
    line.emptyAt = nowMs()
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
      const more = line.waiting.length - together
      if (more >= 0)
        return { count: 0, inMs: Math.max(shortestLookMs, leavesFrom(line) + (more + 1) * gap * closer - now) }
      const due = dueOf(line, now)
      const count = Math.floor((now - due) / gap) + 1
      if (count >= together) return { count, inMs: 0 }
      return { count: 0, inMs: Math.max(1, due + (together - 1) * gap - now) }
    },

    take(key) {
      const line = lineOf(key)
      line.due = dueOf(line, nowMs()) + gapMs(line)
    },

    reach(key: string, prepare?: () => Promise<boolean>) {
      const line = lineOf(key)
      return new Promise<never>((resolve, reject) => {
        const prepared = async () => {
          try {
            const isGoing = (await prepare?.()) ?? true
            if (!isGoing) resolve(undefined as never)
            return isGoing
          } catch (error) {
            reject(error)
            return false
          }
        }
        const leaves = (way: OnItsWay) => resolve(way as never)
        line.waiting.push({ leave: leaves, prepare: prepared, state: prepare ? 'waits' : 'ready' })
        if (prepare) line.unprepared += 1
        if (line.isLeaving) return
        line.isLeaving = true
        // Whoever comes soon after the others had left was late, later nobody was: there was nobody.
        const now = nowMs()
        if (now - line.emptyAt > mostOwedMs) {
          line.leavesAt = Math.max(line.leavesAt, now)
          line.owedMs = 0
        }
        void leave(line)
      })
    },
  }
}
