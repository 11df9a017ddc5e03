import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '../platform/db/db.ts'

/** Few enough that a commit of all takes some milliseconds. */
const perCommit = 25

interface Waiting {
  run(trx: Db): Promise<() => void>
  reject(error: unknown): void
}

export type Write = <T>(work: (trx: Db) => Promise<T>) => Promise<T>

/**
 * Writes that came in one turn of the event loop share a commit, and between two commits everybody else has a turn.
 * One that throws is undone alone: then each of its neighbours is run again by itself, so `work` must bear that.
 */
export function createWriteQueue(databases: Databases): Write {
  let waiting: Waiting[] = []
  let isRunning = false

  const runAlone = async (one: Waiting) => {
    try {
      const settle = await inTransaction(databases, one.run)
      settle()
    } catch (error) {
      one.reject(error)
    }
  }

  const runTogether = async (group: readonly Waiting[]): Promise<void> => {
    const [only] = group
    if (only && group.length === 1) return runAlone(only)
    let settles: (() => void)[]
    try {
      settles = await inTransaction(databases, async trx => {
        const done: (() => void)[] = []
        for (const one of group) done.push(await one.run(trx))
        return done
      })
    } catch {
      // Whose fault it was shows when each runs alone, and is told to that one.
      for (const one of group) await runAlone(one)
      return
    }
    for (const settle of settles) settle()
  }

  const drain = async () => {
    while (waiting.length) {
      await new Promise(resolve => setImmediate(resolve))
      const group = waiting.slice(0, perCommit)
      waiting = waiting.slice(perCommit)
      await runTogether(group)
    }
    isRunning = false
  }

  return work =>
    new Promise((resolve, reject) => {
      waiting.push({
        async run(trx) {
          const result = await work(trx)
          return () => resolve(result)
        },
        reject,
      })
      if (isRunning) return
      isRunning = true
      void drain()
    })
}
