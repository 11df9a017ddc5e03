import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { JobStore } from './store.ts'

/**
 * Work that one process does at a time, because its order matters. Held while the process is alive; another takes it
 * over when it is dead.
 */
export interface Lease {
  /** Takes or keeps the lease. False: another live process has it, or this one is not registered yet. */
  take(): Promise<boolean>
  /** Call it in the transaction of the work: the lease may be lost at any time before. */
  isHeld(trx: Db): Promise<boolean>
}

/** Live processes. */
export interface Presence {
  /** This process; empty before it is registered. */
  id(): string
  /** A dead process is known at once on the same machine, otherwise after a minute. */
  isAtWork(trx: Db, id: string): Promise<boolean>
}

/** Another process has the work now: nothing was written, and it is not an error. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

interface LeaseParts {
  databases: Databases
  store: JobStore
  owner(): string
  /** Resolves when this process is registered. */
  begun(): Promise<void>
}

export const createLease = (name: string, { databases, store, owner, begun }: LeaseParts): Lease => ({
  async take() {
    await begun()
    const id = owner()
    if (!id) return false
    if (await store.isLeaseHeld(databases.read, name, id)) return true
    // Each process without the lease asks every second, and a transaction on PostgreSQL would invalidate caches.
    if (await store.isLeaseTaken(databases.read, name)) return false
    // Transactions run one after another, so everything written under the previous lease is committed by then.
    return inTransaction(databases, trx => store.takeLease(trx, name, id))
  },
  isHeld: trx => store.isLeaseHeld(trx, name, owner()),
})
