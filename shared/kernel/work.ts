import { fold } from './fold.ts'

/**
 * How much one message may cost, in steps: an instruction of a pattern at a letter of a text, a fold of a quarter of a
 * letter. A million take some 40 ms. What would cost more counts as not fitting, and who made the flow is told.
 */
export const workLimits = {
  /** All patterns of an organization's triggers, for one message. */
  message: 1_000_000,
  /** The same for all messages of one slice of webhooks; what costs more is read in the next one. */
  slice: 4_000_000,
  /** Answers, rules and formulas of one turn of one session. */
  turn: 500_000,
  /** All turns of a conversation that is played. */
  simulation: 5_000_000,
  /** Of a turn one formula. */
  formula: 100_000,
  /** Turns that share the commit of what customers wrote; what costs more has a commit of its own. */
  atOnce: 100_000,
  /** Turns that share a commit of their own, beside what each may cost in any case. */
  batch: 2_000_000,
  turnAtLeast: 25_000,
} as const

const stepsPerFoldedChar = 4
const stepsPerChar = 0.25

export class TooMuchWork extends Error {}

/** What is left of a budget of steps, and what was found out on the way. */
export interface Work {
  /** Something was not done for want of steps. */
  readonly isOver: boolean
  readonly left: number
  /** @throws TooMuchWork */
  take(steps: number): void
  /** As texts are compared, see `fold`: each once. @throws TooMuchWork */
  fold(text: string): string
  /** Charges characters that a built-in function scans. @throws TooMuchWork */
  read(chars: number): void
  /** A part of the budget for one thing alone. */
  part<T>(steps: number, work: (part: Work) => T): T
}

export function createWork(steps: number): Work {
  let left = steps
  let isOver = false
  const folded = new Map<string, string>()
  const take = (wanted: number): void => {
    if (wanted > left) {
      isOver = true
      throw new TooMuchWork()
    }
    left -= wanted
  }
  const work: Work = {
    get isOver() {
      return isOver
    },
    get left() {
      return left
    },
    take,
    read: chars => take(Math.ceil(chars * stepsPerChar)),
    fold(text) {
      const known = folded.get(text)
      if (known !== undefined) return known
      take(text.length * stepsPerFoldedChar)
      const made = fold(text)
      folded.set(text, made)
      return made
    },
    part(wanted, done) {
      const rest = Math.max(0, left - wanted)
      left -= rest
      try {
        return done(work)
      } finally {
        left += rest
      }
    },
  }
  return work
}
