import module from 'node:module'
import { dirname } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Databases } from '../db.ts'

/** What cannot be cut into pieces that are short enough for the event loop. */
export type BesideWork =
  | { readonly what: 'emptyLog' }
  | { readonly what: 'mergeWords'; readonly first: number; readonly pages: number; readonly forMs: number }
  | { readonly what: 'bringIn'; readonly pages: number; readonly idleMs: number }

export interface BesideTask {
  readonly path: string
  readonly work: BesideWork
  /** Where the process keeps what it has compiled; absent: nowhere. */
  readonly compiledIn?: string | undefined
}

/** What the thread says before it ends; `code` is the engine's. */
export type BesideAnswer = { readonly result: boolean } | { readonly failed: string; readonly code: string }

/** The file behind the connections; undefined: they are in memory, which no other thread sees. */
const pathOf = ({ raw: { write, read } }: Databases): string | undefined => (write === read ? undefined : write.name)

/**
 * Has something done to the database file by a thread of its own, with a connection of its own: who writes meanwhile
 * waits for the lock without standing still, and nobody else waits. Undefined for a database in memory.
 */
export function workBeside(databases: Databases, work: BesideWork): Promise<boolean> | undefined {
  const path = pathOf(databases)
  return path === undefined ? undefined : workBesidePath({ path, work })
}

/** The folder within is named after the version of Node. */
const compiledIn = (): string | undefined => {
  const kept = module.getCompileCacheDir()
  return kept && dirname(kept)
}

/** It has next to no memory of its own. */
const resourceLimits = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 32 }

/** The same for a file; `mayEnd`: the process does not wait for it. */
export function workBesidePath(task: BesideTask, { mayEnd = false } = {}): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const workerData: BesideTask = { ...task, compiledIn: compiledIn() }
    const worker = new Worker(new URL('./beside-thread.mjs', import.meta.url), { workerData, resourceLimits })
    if (mayEnd) worker.unref()
    worker.once('message', (answer: BesideAnswer) => {
      if ('result' in answer) resolve(answer.result)
      else reject(Object.assign(new Error(answer.failed), { code: answer.code }))
    })
    worker.once('error', reject)
    worker.once('exit', () => reject(new Error('The thread beside ended without an answer')))
  })
}
