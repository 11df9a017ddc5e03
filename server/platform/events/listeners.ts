import type { DomainEvent, DomainEventType, EventOf } from '#server/platform/events/domain.ts'
import type { OrgWrite } from './write.ts'

/** Where a derived event stands: right before or right after the one it follows from; absent: at the end. */
export type EventNeighbour = { readonly before: DomainEvent } | { readonly after: DomainEvent }

/** How a listener in the transaction tells what it derived. */
export interface Deriving extends OrgWrite {
  emit(event: DomainEvent, place?: EventNeighbour): void
}

/**
 * Hears events inside the transaction that made them, once for all of a transaction's, and may write and emit more, which
 * listeners registered after it hear. One that throws is undone alone and counted; `essential`: it takes the whole write
 * along, because nothing may be stored without it.
 */
export interface TransactionListener<T extends DomainEventType = DomainEventType> {
  readonly name: string
  readonly on: readonly T[] | 'all'
  readonly essential?: boolean
  /** Names of listeners that hear first, because this one hears what they derive. `everyOther`: all that do not say so. */
  readonly after?: readonly string[]
  handle(write: Deriving, events: readonly EventOf<T>[]): Promise<void>
}

/** Listeners in the order in which they hear. Features list theirs in `feature.ts`. */
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
