import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DomainEvent } from '#server/platform/events/domain.ts'
import { type Databases, inTransaction } from '../db/db.ts'
import { reasonOf } from '../http/reason.ts'
import { type Lease, LeaseLost } from '../jobs/lease.ts'
import type { Log } from '../log/log.ts'
import { type Clock, isoIn, isoNow } from '../time/clock.ts'
import { inBatches } from '../work/in-batches.ts'
import type { DurableListener, Listeners, StoredDomainEvent } from './listeners.ts'
import { runPart } from './part.ts'
import {
  countParked,
  deleteDomainEventsBefore,
  findCursor,
  findOldestUnheard,
  listBehind,
  listDomainEvents,
  nextCursorDueAt,
  parkEvent,
  registerListener,
  saveCursor,
} from './store.ts'
import type { OrgWrite } from './write.ts'
import type { Writes } from './writes.ts'

export interface Delivery {
  /** Begins where each listener stopped, then follows the commits. */
  start(): void
  /** Events of these organizations were committed. */
  wake(orgIds?: readonly string[]): void
  /** Finishes the events at work; the rest wait for the next start. */
  stop(): Promise<void>
  /** Resolves when every listener is through, or waits after a failure. For tests. */
  idle(): Promise<void>
  /** Deletes what every listener has had for a month; answers how many went. */
  prune(now: Date): Promise<number>
  /** When the oldest event happened that a listener has still to hear; undefined: none. For health. */
  oldest(): Promise<string | undefined>
  /** Events given up after repeated failures, by listener. */
  parked(): Promise<ReadonlyMap<string, number>>
}

export interface DeliveryParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly listeners: Listeners
  readonly writes: Pick<Writes, 'run'>
  /** Events are delivered in order: by one process at a time. */
  readonly lease: Lease
}

const maxTries = 8
/** After each failure; together about two hours. */
const pausesMs = [1_000, 5_000, 30_000, 120_000, 600_000, 1_800_000, 3_600_000] as const
/** One that is due later was told so by a clock that ran ahead. */
const longestPauseMs = Math.max(...pausesMs)
const eventsPerTurn = 50
const orgsPerLook = 100
/** Another process may have stored events and died before it told anybody. */
const lookEveryMs = 30_000
const troubleMs = 1_000
const keptMs = 30 * 24 * 60 * 60 * 1000
const pruneRows = 500

/** Brings stored events to the listeners after the commit: each listener and organization goes its own pace. */
export function createDelivery({ databases, clock, log, listeners, writes, lease }: DeliveryParts): Delivery {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let again = false
  let started = false
  let stopping = false

  /** One event to one listener, undone alone when it fails. Answers the failure. */
  const hand = async (write: OrgWrite, listener: DurableListener, event: StoredDomainEvent) => {
    const derived: DomainEvent[] = []
    const emit: OrgWrite['emit'] = one => void derived.push(one)
    const error = await runPart(write, effects => listener.handle({ ...write, ...effects, emit }, event))
    if (error !== undefined) return error instanceof Error ? error : new Error(String(error))
    for (const one of derived) write.emit(one)
    return undefined
  }

  /** Some events of one organization to one listener, with its place, in one commit. True: there may be more. */
  const turn = (listener: DurableListener, orgId: string): Promise<boolean> =>
    writes.run(orgId, { kind: 'system', id: listener.name, name: null }, async write => {
      if (!(await lease.isHeld(write.db))) throw new LeaseLost()
      const cursor = await findCursor(write.db, orgId, listener.name)
      if (cursor.dueAt !== null && cursor.dueAt > isoNow(clock)) return false
      const events = await listDomainEvents(write.db, orgId, cursor.seq, eventsPerTurn)
      let { seq } = cursor
      for (const event of events) {
        if (listener.on.includes(event.type)) {
          const error = await hand(write, listener, event)
          if (error)
            return fail(write, listener, { seq, attempts: seq === cursor.seq ? cursor.attempts : 0 }, event, error)
        }
        seq = event.seq
      }
      if (seq > cursor.seq) await saveCursor(write.db, orgId, listener.name, { seq, attempts: 0, dueAt: null })
      return events.length === eventsPerTurn
    })

  const fail = async (
    { db, orgId }: OrgWrite,
    { name }: DurableListener,
    before: { seq: number; attempts: number },
    event: StoredDomainEvent,
    error: Error,
  ): Promise<boolean> => {
    const attempts = before.attempts + 1
    const reason = reasonOf(error)
    const facts = { err: error, listener: name, orgId, seq: event.seq, type: event.type, attempts }
    if (attempts >= maxTries) {
      log.error(facts, 'a listener gave an event up')
      await parkEvent(db, orgId, { listener: name, seq: event.seq, reason, at: isoNow(clock) })
      await saveCursor(db, orgId, name, { seq: event.seq, attempts: 0, dueAt: null })
      return true
    }
    log.warn(facts, 'a listener failed at an event and tries again')
    const dueAt = isoIn(clock, pausesMs[attempts - 1] ?? (pausesMs.at(-1) as number))
    await saveCursor(db, orgId, name, { seq: before.seq, attempts, dueAt, error: reason })
    return false
  }

  /** Every organization gets a turn before any gets its second. Trouble of one listener leaves the others alone. */
  const serve = async (listener: DurableListener) => {
    for (let isMore = true; isMore && !stopping; ) {
      isMore = false
      for (let after = ''; !stopping; ) {
        const page = { after, now: isoNow(clock), farthest: isoIn(clock, longestPauseMs), limit: orgsPerLook }
        const orgIds = await listBehind(databases.read, listener.name, page)
        for (const orgId of orgIds) {
          if (stopping) return
          if (await turn(listener, orgId)) isMore = true
          await nextTurn()
        }
        if (orgIds.length < orgsPerLook) break
        after = orgIds.at(-1) as string
      }
    }
  }

  const work = async () => {
    let waitMs = lookEveryMs
    do {
      again = false
      for (const listener of listeners.durable)
        try {
          if (!(await lease.take())) break
          await serve(listener)
        } catch (error) {
          if (error instanceof LeaseLost) break
          log.error({ err: error, listener: listener.name }, 'a listener waits for the database')
          waitMs = troubleMs
        }
    } while (again && !stopping)
    try {
      const due = await nextCursorDueAt(databases.read)
      if (due) waitMs = Math.min(waitMs, Math.max(1, Date.parse(due) - clock.now().getTime()))
    } catch (error) {
      log.error({ err: error }, 'listeners wait for the database')
      waitMs = troubleMs
    }
    sleep(waitMs)
  }

  const sleep = (ms: number) => {
    clearTimeout(timer)
    if (stopping) return
    timer = setTimeout(kick, ms)
    timer.unref()
  }

  const kick = () => {
    again = true
    if (!started || stopping || running || !listeners.durable.length) return
    running = nextTurn()
      .then(work)
      .finally(() => {
        running = undefined
        if (again && !stopping) kick()
      })
  }

  const register = async () => {
    const at = isoNow(clock)
    for (const { name } of listeners.durable)
      if (await inTransaction(databases, trx => registerListener(trx, name, at)))
        log.info({ listener: name }, 'a new listener hears what happens from now on')
  }

  let ready: Promise<void> = Promise.resolve()
  return {
    start() {
      ready = register().then(
        () => {
          started = true
          kick()
        },
        error => log.error({ err: error }, 'listeners could not be registered'),
      )
    },
    wake: kick,
    async stop() {
      stopping = true
      clearTimeout(timer)
      await ready
      await running
    },
    async idle() {
      await ready
      kick()
      while (running) await running
    },
    async prune(now) {
      const before = new Date(now.getTime() - keptMs).toISOString()
      const names = listeners.durable.map(listener => listener.name)
      return inBatches(pruneRows, limit =>
        inTransaction(databases, trx => deleteDomainEventsBefore(trx, names, before, limit)),
      )
    },
    parked: () => countParked(databases.read),
    async oldest() {
      const times: string[] = []
      for (const { name } of listeners.durable) {
        const at = await findOldestUnheard(databases.read, name)
        if (at) times.push(at)
      }
      return times.sort()[0]
    },
  }
}
