import type { EventActor } from '#server/platform/events/actor.ts'
import type { DomainEvent } from '#server/platform/events/domain.ts'
import type { Db } from '../db/database.ts'

declare const openedByWrites: unique symbol

/**
 * A transaction of `Writes`. Stores that change what an organization has ask for it, so that nothing can be changed
 * without the events being heard; reading takes it like any `Db`.
 */
export type OrgDb = Db & { readonly [openedByWrites]: true }

/** An organization's write while it runs. */
export interface OrgWrite {
  readonly orgId: string
  readonly by: EventActor
  readonly db: OrgDb
  /** Says what happened. Heard before the commit, in order; forgotten with a transaction that fails. */
  emit(event: DomainEvent): void
  /** Runs once after the commit, however often it is given, and never after a failure: for waking who works on rows. */
  afterCommit(effect: () => void): void
  /** Runs if what this write has done is undone, never after a commit: gives back what was taken in memory for it. */
  afterRollback(effect: () => void): void
}

/** One transaction over several organizations. */
export interface ManyWrites {
  /** For rows that belong to no organization: the journal, the queues. */
  readonly db: Db
  /** The same for the same organization. */
  of(orgId: string): OrgWrite
}
