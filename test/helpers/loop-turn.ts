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
  let isOver = false
  const tick = () => {
    inTurn = 0
    if (!isOver) setImmediate(tick)
  }
  tick()
  try {
    await work(() => {
      inTurn += 1
      most = Math.max(most, inTurn)
    })
  } finally {
    isOver = true
  }
  return most
}
