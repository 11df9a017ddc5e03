import { type Databases, inTransaction, type TransactionOptions } from '#server/platform/db/db.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { EventActor } from './actor.ts'
import type { DomainEvent } from './domain.ts'
import type { Deriving, EventNeighbour, Listeners, TransactionListener } from './listeners.ts'
import { runInSavepoint } from './savepoint.ts'
import type { ManyWrites, OrgDb, OrgWrite } from './write.ts'

/**
 * The only way to write an organization's data: transaction, events, what listeners derive, commit, and effects after
 * it. Never await the network inside.
 */
export interface Writes {
  run<T>(orgId: string, by: EventActor, work: (write: OrgWrite) => Promise<T>): Promise<T>
  runMany<T>(by: EventActor, work: (writes: ManyWrites) => Promise<T>, options?: TransactionOptions): Promise<T>
  /** Failures of each listener since the start. A listener that never failed is absent. */
  failures(): ReadonlyMap<string, number>
}

interface WritesParts {
  readonly databases: Databases
  readonly log: Log
  readonly listeners: Listeners
}

/** The events of a write, with the position of derived ones. */
class EventList {
  #events: DomainEvent[] = []
  readonly #types = new Set<DomainEvent['type']>()
  readonly #before = new Map<DomainEvent, DomainEvent[]>()
  readonly #after = new Map<DomainEvent, DomainEvent[]>()

  get isEmpty() {
    return this.#events.length === 0
  }
  hasAny(types: readonly DomainEvent['type'][]) {
    return types.some(type => this.#types.has(type))
  }
  add(event: DomainEvent, place?: EventNeighbour) {
    this.#types.add(event.type)
    if (!place) {
      this.#events.push(event)
      return
    }
    const [cause, beside] = 'before' in place ? [place.before, this.#before] : [place.after, this.#after]
    beside.set(cause, [...(beside.get(cause) ?? []), event])
  }
  all(): readonly DomainEvent[] {
    if (this.#before.size || this.#after.size) {
      const around = (event: DomainEvent): DomainEvent[] => [
        ...(this.#before.get(event) ?? []).flatMap(around),
        event,
        ...(this.#after.get(event) ?? []).flatMap(around),
      ]
      this.#events = this.#events.flatMap(around)
      this.#before.clear()
      this.#after.clear()
    }
    return this.#events
  }
}

type Derived = [event: DomainEvent, place?: EventNeighbour]

export function createWrites({ databases, log, listeners }: WritesParts): Writes {
  const failures = new Map<string, number>()

  const runAll = (effects: Iterable<() => void>, failed: string) => {
    for (const effect of effects)
      try {
        effect()
      } catch (error) {
        log.error({ err: error }, failed)
      }
  }

  /** Derived events count only if the listener succeeds. */
  const hear = async (write: OrgWrite, listener: TransactionListener, events: readonly DomainEvent[]) => {
    const derived: Derived[] = []
    const emit: Deriving['emit'] = (...one) => void derived.push(one)
    if (listener.essential) await listener.handle({ ...write, emit }, events)
    else {
      const error = await runInSavepoint(write, effects => listener.handle({ ...write, ...effects, emit }, events))
      if (error === undefined) return derived
      failures.set(listener.name, (failures.get(listener.name) ?? 0) + 1)
      log.error({ err: error, listener: listener.name, orgId: write.orgId }, 'a listener failed and was left out')
      derived.length = 0
    }
    return derived
  }

  const tellListeners = async (write: OrgWrite, list: EventList) => {
    for (const listener of listeners.transactional) {
      const { on } = listener
      if (on !== 'all' && !list.hasAny(on)) continue
      const wanted = on === 'all' ? list.all() : list.all().filter(event => on.includes(event.type))
      for (const [event, place] of await hear(write, listener, wanted)) list.add(event, place)
    }
  }

  const runMany: Writes['runMany'] = async (by, work, options) => {
    const effects = new Set<() => void>()
    const undoing = new Set<() => void>()
    const transaction = inTransaction(
      databases,
      async trx => {
        const opened = new Map<string, { write: OrgWrite; list: EventList }>()
        const open = (orgId: string) => {
          const list = new EventList()
          const write: OrgWrite = {
            orgId,
            by,
            db: trx as OrgDb,
            emit: event => list.add(event),
            afterCommit: effect => void effects.add(effect),
            afterRollback: effect => void undoing.add(effect),
          }
          opened.set(orgId, { write, list })
          return write
        }
        const done = await work({ db: trx, of: orgId => opened.get(orgId)?.write ?? open(orgId) })
        for (const { write, list } of opened.values()) if (!list.isEmpty) await tellListeners(write, list)
        return done
      },
      options,
    )
    const result = await transaction.catch(error => {
      runAll(undoing, 'undoing the side effects of a failed write failed')
      throw error
    })
    runAll(effects, 'a listener after a commit failed; its work is found again in the tables later')
    return result
  }

  return {
    run: (orgId, by, work) => runMany(by, writes => work(writes.of(orgId))),
    runMany,
    failures: () => failures,
  }
}
