import type { Db } from '../db.ts'
import { type JobStore, jobStore } from './store.ts'

/**
 * What the runner needs of a database engine. `test/server/jobs/conformance.ts` holds every engine to it; what differs in
 * the text of statements stands in `engine-store.ts`.
 */
export interface JobEngine {
  readonly store: JobStore
  /** Tells other processes, when this transaction commits, that there may be something to claim. A lost word costs a second. */
  notify(trx: Db): Promise<void>
  /** Hears what others told; answers how to stop hearing. */
  listen(onNotice: () => void): Promise<() => Promise<void>>
}

/** Several processes on one SQLite file have no way to tell one another: each looks every second. */
export const sqliteJobs: JobEngine = {
  store: jobStore,
  notify: async () => undefined,
  listen: async () => async () => undefined,
}
