import { fold } from './fold.ts'

/**
 * One message may cause this much work, in steps: one instruction of a pattern at one character, or folding a quarter
 * of a character. A million take about 40 ms. What would cost more counts as not matching, and the flow's author is
 * notified.
 */
export const workLimits = {
  /** All patterns of an organization's triggers, for one message. */
  message: 1_000_000,
  /** The budget of all messages of one slice of webhooks. What costs more is read in the next slice. */
  slice: 4_000_000,
  /** Answers, rules and formulas in one advance of one session. */
  advance: 500_000,
  /** All steps of a simulated conversation. */
  simulation: 5_000_000,
  formula: 100_000,
  /** Sessions that advance in the commit of the messages that caused it; more expensive ones get their own commit. */
  atOnce: 100_000,
  /** Sessions that advance in one commit of their own, in addition to `advanceAtLeast` for each. */
  batch: 2_000_000,
  advanceAtLeast: 25_000,
} as const

const stepsPerFoldedChar = 4
const stepsPerChar = 0.25

export class TooMuchWork extends Error {}

/** The remaining budget of steps, with a cache of folded texts. */
export interface Work {
  /** Something was skipped because the budget was used up. */
  readonly isOver: boolean
  readonly left: number
  /** @throws TooMuchWork */
  take(steps: number): void
  /** Folds a text for comparison (`fold`), each text once. @throws TooMuchWork */
  fold(text: string): string
  /** Charges for characters that a built-in function scans. @throws TooMuchWork */
  read(chars: number): void
  /** Runs `work` with at most this part of the budget. */
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
