import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { createFeed } from './feed.ts'
import { type Frame, frameOf, type GoodbyeReason, goodbyes, resyncAt } from './frame.ts'
import { createOpenReaders } from './open-readers.ts'
import { type Dropped, joinOtherProcesses } from './other-processes.ts'
import { createPump, type WatchedOrg } from './pump.ts'
import { createSend, type Reader, type Sink } from './reader.ts'
import { type EventDraft, recordEvents, type StoredEvent } from './recording.ts'
import { replay } from './replay.ts'
import { createShortLived } from './short-lived.ts'
import { readSight } from './sight.ts'
import { deleteEventsBefore, eventsAfter, readHead, readHeads } from './store.ts'
import { createStreamsElsewhere } from './streams-elsewhere.ts'
import { endedWatchers, type Watcher } from './watcher-store.ts'

interface Subscription {
  /** The reader is gone. Nothing more is written. */
  close(): void
}

/** The log of live events. Only the listener of domain events writes to it. @see createLiveListener */
export interface LiveLog {
  /** Stores events in the caller's transaction. Pass the result to `publish` after the commit. */
  record(trx: Db, orgId: string, drafts: readonly EventDraft[], by?: EventActor): Promise<StoredEvent[]>
  /**
   * Sends stored events to open streams. Call it after the commit only. A missing call is made up for within a minute.
   */
  publish(events: readonly StoredEvent[]): void
}

export interface Live {
  /** The newest event's number. Read it before a page's data, and start the page's stream after it. */
  head(orgId: string): Promise<number>
  /** False: the person has the maximum number of streams, over all processes. */
  mayOpenStream(userId: string): boolean
  /** True if the person has a page open. Pages at another process count some seconds after they were opened. */
  isOnline(userId: string): boolean
  /**
   * Streams the events after `since` (absent: from now on) without a gap, or sends `resync` when too many were missed.
   */
  subscribe(watcher: Watcher, sink: Sink, since?: number): Subscription
  /** Ends a person's streams at once, or those of one session. */
  dropUser(userId: string, sessionId?: string): void
  /** Ends a person's streams of one organization at once. */
  dropMember(orgId: string, userId: string): void
  /** Ends streams whose session or membership has ended, and finds events that were not published. Runs by itself. */
  sweep(): Promise<void>
  /** Deletes events older than the retention time, a few at a time. Returns how many. */
  prune(now?: Date): Promise<number>
  /** Sends all readers a goodbye and ends every stream within a second. */
  close(): Promise<void>
  readonly streams: number
}

export type LiveHub = Live & LiveLog

interface LiveParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly scopes: Pick<Scopes, 'readLimits' | 'readFacts'>
  /** For tests. */
  readonly heartbeatMs?: number
  readonly sweepMs?: number
  readonly shortLivedMs?: number
  monotonicMs?(): number
}

export const maxStreamsPerUser = 20
const keptDays = 90
const pruneRows = 2000
/** A reader has this long to receive its goodbye. */
const goodbyeMs = 500

/** Runs tasks at intervals, from `start` until `stop`. */
function createTimers(tasks: readonly { readonly everyMs: number; run(): void }[]) {
  let timers: NodeJS.Timeout[] = []
  return {
    start() {
      if (timers.length) return
      timers = tasks.map(({ run, everyMs }) => setInterval(run, everyMs).unref())
    },
    stop() {
      for (const timer of timers) clearInterval(timer)
      timers = []
    },
  }
}

const frameOfStored = (event: StoredEvent): Frame =>
  frameOf({ ...event, json: event.json ?? JSON.stringify(event.data ?? null) })

function newReader({ orgId, userId, sessionId, role, creatorId }: Watcher, sink: Sink): Reader {
  const who = { orgId, userId, sessionId, role, ...(creatorId === undefined ? {} : { creatorId }) }
  return { ...who, sink, cursor: -1, attached: false, closed: false }
}

/** Says goodbye to a reader that was removed. `resync` makes it reconnect with its current role. */
function sayGoodbye({ sink, cursor }: Reader, reason: GoodbyeReason | 'roleChanged') {
  sink.write(reason === 'roleChanged' ? resyncAt(Math.max(0, cursor)) : goodbyes[reason])
  sink.end()
  // A reader that does not read must neither keep what it may no longer see nor delay the shutdown.
  setTimeout(() => sink.destroy(), goodbyeMs).unref()
}

/** Lets readers receive their goodbye, for a limited time, and ends their streams. */
async function destroyDrained(readers: readonly Reader[]) {
  await Promise.race([
    Promise.all(readers.map(reader => reader.sink.drained())),
    new Promise(resolve => setTimeout(resolve, goodbyeMs)),
  ])
  for (const reader of readers) reader.sink.destroy()
}

function deleteOldEvents(databases: Databases, now: Date): Promise<number> {
  const before = new Date(now.getTime() - keptDays * 24 * 60 * 60 * 1000).toISOString()
  return inBatches(pruneRows, limit => inTransaction(databases, trx => deleteEventsBefore(trx, before, limit)))
}

/**
 * The hub of live events. Numbers are assigned in the transaction that makes the change, so a stream's order is the
 * order of commits.
 */
export function createLive(parts: LiveParts): LiveHub {
  const { databases, clock, log, scopes, heartbeatMs = 20_000, sweepMs = 30_000 } = parts
  let closing = false

  const readers = createOpenReaders({
    openFeed: (orgId, watchedOrg) =>
      createFeed({
        orgId,
        log,
        head: () => readHead(databases.read, orgId),
        after: (seq, limit) => eventsAfter(databases.read, orgId, seq, limit),
        ready: () => pump.ready(watchedOrg()),
        broken: () => dropAll(watchedOrg()),
      }),
    orgLeft: watched => pump.forget(watched),
    countChanged(userId, count) {
      elsewhere.announce(userId, count)
      if (readers.count) timers.start()
      else timers.stop()
    },
  })
  const send = createSend(log, readers.remove)
  const dropAll = (watched: WatchedOrg) => {
    for (const reader of [...watched.readers]) {
      readers.remove(reader)
      reader.sink.destroy()
    }
  }
  const pump = createPump({
    log,
    send,
    readSight: (watched, frames) => readSight(scopes, watched.feed.orgId, frames),
    broken: dropAll,
  })

  const end = (reader: Reader, reason: GoodbyeReason | 'roleChanged') => {
    if (reader.closed) return
    readers.remove(reader)
    sayGoodbye(reader, reason)
  }

  const dropHere = ({ userId, sessionId, orgId }: Dropped) => {
    for (const reader of readers.listOf(userId))
      if (orgId !== undefined) {
        if (reader.orgId === orgId) end(reader, 'notMember')
      } else if (sessionId === undefined || reader.sessionId === sessionId) end(reader, 'signedOut')
  }

  const reachAll = async () => {
    const orgIds = readers.watchedOrgs().map(([orgId]) => orgId)
    if (!orgIds.length) return
    const heads = await readHeads(databases.read, orgIds)
    for (const [orgId, seq] of heads) readers.watched(orgId)?.feed.reach(seq)
  }

  const others = joinOtherProcesses({
    signals: databases.signals,
    log,
    reach: (orgId, seq) => readers.watched(orgId)?.feed.reach(seq),
    reachAll,
    drop: dropHere,
  })

  const elsewhere = createStreamsElsewhere({
    signals: databases.signals,
    ...(parts.monotonicMs ? { nowMs: parts.monotonicMs } : {}),
    own: readers.counts,
  })

  const streamsOf = (userId: string) => readers.countOf(userId) + elsewhere.of(userId)

  const shortLived = createShortLived({
    databases,
    clock,
    log,
    ...(parts.shortLivedMs === undefined ? {} : { keptMs: parts.shortLivedMs }),
  })

  const sweep = async () => {
    const ended = await endedWatchers(databases.read, readers.listAll(), isoNow(clock))
    for (const [reader, reason] of ended) end(reader, reason)
    await reachAll()
  }

  const timers = createTimers([
    {
      everyMs: heartbeatMs,
      run: () => pump.beat(readers.watchedOrgs().flatMap(([, watched]) => [...watched.readers])),
    },
    {
      everyMs: sweepMs,
      run: () => void sweep().catch(error => log.error({ err: error }, 'live streams could not be checked')),
    },
  ])

  return {
    record: (trx, orgId, drafts, by) => recordEvents(trx, orgId, drafts, { at: isoNow(clock), by }),
    publish(events) {
      shortLived.expect(events)
      for (const event of events) readers.watched(event.orgId)?.feed.offer(event.seq, () => frameOfStored(event))
      others.announceStored(events)
    },
    head: orgId => readHead(databases.read, orgId),
    mayOpenStream: userId => streamsOf(userId) < maxStreamsPerUser,
    isOnline: userId => streamsOf(userId) > 0,
    subscribe(watcher, sink, since) {
      if (closing) {
        sink.write(goodbyes.shutdown)
        sink.end()
        return { close: () => {} }
      }
      const { orgId, userId } = watcher
      const reader = newReader(watcher, sink)
      const { feed } = readers.add(reader)
      const look = (frames: readonly Frame[]) => readSight(scopes, orgId, frames)
      replay({ db: databases.read, feed, send, readSight: look }, reader, since).catch(error => {
        log.error({ err: error, orgId, userId }, 'a stream of live events could not start')
        readers.remove(reader)
        sink.destroy()
      })
      return { close: () => readers.remove(reader) }
    },
    dropUser(userId, sessionId) {
      const which = { userId, ...(sessionId === undefined ? {} : { sessionId }) }
      dropHere(which)
      others.tellDropped(which)
    },
    dropMember(orgId, userId) {
      dropHere({ userId, orgId })
      others.tellDropped({ userId, orgId })
    },
    sweep,
    async prune(now = clock.now()) {
      const old = await deleteOldEvents(databases, now)
      return (await shortLived.prune(now)) + old
    },
    async close() {
      closing = true
      shortLived.stop()
      const leaving = readers.listAll()
      for (const reader of leaving) end(reader, 'shutdown')
      timers.stop()
      await destroyDrained(leaving)
    },
    get streams() {
      return readers.count
    },
  }
}
