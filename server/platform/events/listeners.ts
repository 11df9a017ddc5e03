import type { DomainEvent, DomainEventType, EventOf } from './domain.ts'
import type { OrgWrite } from './write.ts'

/** Position of a derived event: directly before or after the event it follows from. Absent: at the end. */
export type EventNeighbour = { readonly before: DomainEvent } | { readonly after: DomainEvent }

/** A listener's view of the write, with a position for derived events. */
export interface Deriving extends OrgWrite {
  emit(event: DomainEvent, place?: EventNeighbour): void
}

/**
 * Runs inside the transaction, once with all of its events. It may write and emit more, which later listeners receive.
 * If one throws, only its own changes are rolled back and the failure is counted; `essential`: the whole write is
 * rolled back.
 */
export interface TransactionListener<T extends DomainEventType = DomainEventType> {
  readonly name: string
  readonly on: readonly T[] | 'all'
  readonly essential?: boolean
  /**
   * Names of listeners that run before, because this one needs what they derive. `everyOther`: all that do not say the
   * same.
   */
  readonly after?: readonly string[]
  handle(write: Deriving, events: readonly EventOf<T>[]): Promise<void>
}

/** Listeners in the order in which they run. Features list theirs in `feature.ts`. */
export interface Listeners {
  inTransaction<T extends DomainEventType>(listener: TransactionListener<T>): void
  readonly transactional: readonly TransactionListener[]
}

export function createListeners(): Listeners {
  const transactional: TransactionListener[] = []
  return {
    transactional,
    inTransaction(listener) {
      if (transactional.some(known => known.name === listener.name))
        throw new Error(`Two listeners are called ${listener.name}`)
      transactional.push(listener as unknown as TransactionListener)
    },
  }
}
