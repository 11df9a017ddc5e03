import type { Db } from '#server/platform/db/database.ts'
import type { EventActor } from './actor.ts'
import type { DomainEvent } from './domain.ts'

declare const openedByWrites: unique symbol

/**
 * A transaction opened by `Writes`. Stores that change an organization's data require it, so that no change skips the
 * events. For reading, it is a `Db`.
 */
export type OrgDb = Db & { readonly [openedByWrites]: true }

/** A running write to one organization. */
export interface OrgWrite {
  readonly orgId: string
  readonly by: EventActor
  readonly db: OrgDb
  /** Emits an event. Listeners run before the commit, in order; a rollback drops it. */
  emit(event: DomainEvent): void
  /** Runs the effect once after the commit, even if given several times; never after a rollback. For waking workers. */
  afterCommit(effect: () => void): void
  /** Runs the effect if this write is rolled back, never after a commit. For undoing changes in memory. */
  afterRollback(effect: () => void): void
}

/** One transaction over several organizations. */
export interface ManyWrites {
  /** The connection for rows that belong to no organization, such as journal and queues. */
  readonly db: Db
  /** Returns the same write for the same organization. */
  of(orgId: string): OrgWrite
}
