import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'

/** Few enough for a commit of some milliseconds. */
const perCommit = 25

interface Waiting {
  run(trx: Db): Promise<() => void>
  reject(error: unknown): void
}

export type Write = <T>(work: (trx: Db) => Promise<T>) => Promise<T>

/**
 * Groups writes of one event-loop turn into a commit, and yields between commits. If one throws, the group is rolled
 * back and each is run again alone, so `work` must be repeatable.
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
      // Run alone, the error reaches only the write that caused it.
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
