import module from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Databases } from '../db.ts'

/** Work that cannot be split into steps short enough for the event loop. */
export type ThreadWork =
  | { readonly what: 'emptyLog' }
  | { readonly what: 'mergeWords'; readonly first: number; readonly pages: number; readonly forMs: number }
  | { readonly what: 'checkpoint'; readonly pages: number; readonly idleMs: number }

export interface ThreadTask {
  readonly path: string
  readonly work: ThreadWork
  /** The process's compile cache folder; absent: none. */
  readonly compiledIn?: string | undefined
}

/** The thread's last message; `code` is SQLite's. */
export type ThreadAnswer = { readonly result: boolean } | { readonly failed: string; readonly code: string }

/** The database file; undefined: in memory, which no other thread can see. */
const pathOf = ({ raw: { write, read } }: Databases): string | undefined => (write === read ? undefined : write.name)

/**
 * Runs work on the database file on another thread with its own connection. Writers wait for its lock asynchronously,
 * others do not wait. Undefined for a database in memory.
 */
export function runInThread(databases: Databases, work: ThreadWork): Promise<boolean> | undefined {
  const path = pathOf(databases)
  return path === undefined ? undefined : runTaskInThread({ path, work })
}

/** The folder inside is named after the Node version. */
const compiledIn = (): string | undefined => {
  const kept = module.getCompileCacheDir()
  return kept && dirname(kept)
}

/** The thread needs almost no memory. */
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 }

/** Runs a task on a database file in another thread. `mayEnd`: the process may exit before the thread has ended. */
export function runTaskInThread(task: ThreadTask, { mayEnd = false } = {}): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const workerData: ThreadTask = { ...task, compiledIn: compiledIn() }
    const worker = new Worker(new URL('./thread-main.mjs', import.meta.url), { workerData, resourceLimits })
    if (mayEnd) worker.unref()
    worker.once('message', (answer: ThreadAnswer) => {
      if ('result' in answer) resolve(answer.result)
      else reject(Object.assign(new Error(answer.failed), { code: answer.code }))
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The worker thread ended without an answer')))
  })
}
