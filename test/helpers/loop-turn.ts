import { createLoopTurn, type LoopTurn } from '#server/platform/work/loop-turn.ts'

/** A loop turn whose time is counted instead of measured: each check counts as a millisecond. */
export const countedTurn = (): LoopTurn => {
  let now = 0
  return createLoopTurn(() => {
    now += 1
    return now
  })
}

/** The most items between two turns, for work that checks a counted turn before each item. */
export const maxPerTurn = 9

/** Runs `work` and returns the highest count between two turns of the event loop. */
export const countPerTurn = async (work: (count: () => void) => Promise<unknown>): Promise<number> => {
  let most = 0
  let inTurn = 0
  const end = () => {
    inTurn = 0
  }
  await work(() => {
    // The first count of a turn asks for its end. To ask in every turn would keep a waiting process busy.
    if (inTurn === 0) setImmediate(end)
    inTurn += 1
    most = Math.max(most, inTurn)
  })
  return most
}
