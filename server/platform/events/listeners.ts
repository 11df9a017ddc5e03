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

/** An event as it is kept for listeners after the commit. `id` never changes, whatever is delivered how often. */
export type StoredDomainEvent<T extends DomainEventType = DomainEventType> = EventOf<T> & {
  readonly id: string
  readonly seq: number
  readonly at: string
}

/**
 * Hears events after their commit, in order per organization, from a place that survives crashes: at least once, so it
 * must not mind a repetition. It runs in a transaction of its own together with its place, so what it writes through
 * `write` happens exactly once; whoever needs the network writes a job and wakes its worker. One that keeps throwing at an
 * event is parked there with the reason and goes on behind it; the other listeners never wait for it.
 */
export interface DurableListener<T extends DomainEventType = DomainEventType> {
  /** Names its place in the database: never renamed. */
  readonly name: string
  readonly on: readonly T[]
  handle(write: OrgWrite, event: StoredDomainEvent<T>): Promise<void>
}

/** Who hears what, in the order in which they hear. Features list their listeners in `feature.ts`. */
export interface Listeners {
  inTransaction<T extends DomainEventType>(listener: TransactionListener<T>): void
  afterCommit<T extends DomainEventType>(listener: DurableListener<T>): void
  readonly transactional: readonly TransactionListener[]
  readonly durable: readonly DurableListener[]
  /** Whether a listener after the commit wants these, so that they have to be stored. */
  isStored(type: DomainEventType): boolean
}

export function createListeners(): Listeners {
  const transactional: TransactionListener[] = []
  const durable: DurableListener[] = []
  const stored = new Set<DomainEventType>()
  const requireNew = (name: string) => {
    if ([...transactional, ...durable].some(known => known.name === name))
      throw new Error(`Two listeners are called ${name}`)
  }
  return {
    transactional,
    durable,
    inTransaction(listener) {
      requireNew(listener.name)
      transactional.push(listener as unknown as TransactionListener)
    },
    afterCommit(listener) {
      requireNew(listener.name)
      durable.push(listener as unknown as DurableListener)
      for (const type of listener.on) stored.add(type)
    },
    isStored: type => stored.has(type),
  }
}
