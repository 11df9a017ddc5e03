import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '../db/db.ts'
import type { JobStore } from './store.ts'

/**
 * Work that one process at a time does, because its order is the point of it. Held as long as its process says that it
 * lives; another takes it when that one is gone.
 */
export interface Lease {
  /** Takes it, or keeps it. False: another process at work has it, or this one is not at work yet. */
  take(): Promise<boolean>
  /** Whether it is held still, in the transaction of the work. */
  isHeld(trx: Db): Promise<boolean>
}

/** Processes at work. */
export interface Presence {
  /** This one; empty before it has said so. */
  id(): string
  /** Whether that one is at work still; those that died are known to be gone at once on one machine, else after a minute. */
  isAtWork(trx: Db, id: string): Promise<boolean>
}

/** The work is another process's by now: nothing of it is written, and nobody is at fault. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost'
}

interface LeaseParts {
  databases: Databases
  store: JobStore
  owner(): string
  /** Resolves when this process is at work. */
  begun(): Promise<void>
}

export const createLease = (name: string, { databases, store, owner, begun }: LeaseParts): Lease => ({
  async take() {
    await begun()
    const id = owner()
    if (!id) return false
    if (await store.isLeaseHeld(databases.read, name, id)) return true
    // Asked each second by all who have it not: a transaction of PostgreSQL's makes whatever is remembered old.
    if (await store.isLeaseTaken(databases.read, name)) return false
    // A transaction waits for those of all others: what the one before has written under the lease is committed by then.
    return inTransaction(databases, trx => store.takeLease(trx, name, id))
  },
  isHeld: trx => store.isLeaseHeld(trx, name, owner()),
})
