import type { Scopes } from '#server/identity/visibility/scopes.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import type { LiveEventName } from '#shared/live/api.ts'
import { createFeed } from './feed.ts'
import { type Frame, frameOf, type GoodbyeReason, goodbyes, resyncAt } from './frame.ts'
import { type Dropped, joinOtherProcesses } from './other-processes.ts'
import { createPump, type WatchedOrg } from './pump.ts'
import { createSend, type Reader, type Sink } from './reader.ts'
import { replay } from './replay.ts'
import { createShortLived } from './short-lived.ts'
import { sightOf } from './sight.ts'
import { deleteEventsBefore, eventsAfter, headOf, headsOf, insertEvents, takeSeqs } from './store.ts'
import { createStreamsElsewhere } from './streams-elsewhere.ts'
import { endedWatchers, type Watcher } from './watcher-store.ts'

/** An event for open tabs, before it has a number. */
export interface EventDraft {
  type: LiveEventName
  data: unknown
  /** Phone number of the customer it is about. */
  number?: string
  /** Only members who see this conversation get it. Null or absent: about none. */
  conversationId?: string | null
  /** User ids or roles (`audience.ts`). Absent: everybody who may read chats. */
  audience?: readonly string[]
}

export interface StoredEvent {
  orgId: string
  seq: number
  type: string
  at: string
  number: string | null
  conversationId: string | null
  audience: readonly string[] | null
  /** The kind of actor. */
  actor?: string | null
  /** The actor's name. */
  actorName?: string | null
  data: unknown
  /** `data` as stored, so that it is serialized once. */
  json?: string
}

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
  /** Whether the person has a page open. Pages at another process count some seconds after they were opened. */
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
  readonly scopes: Pick<Scopes, 'limitsOf' | 'factsOf'>
  /** For tests. */
  readonly heartbeatMs?: number
  readonly sweepMs?: number
  readonly shortLivedMs?: number
  monotonicMs?(): number
}

export const maxStreamsPerUser = 20
const keptDays = 90
const pruneRows = 2000
/** How long a reader has to receive its goodbye. */
const goodbyeMs = 500

/**
 * The hub of live events. Numbers are assigned in the transaction that makes the change, so a stream's order is the
 * order of commits.
 */
export function createLive(parts: LiveParts): LiveHub {
  const { databases, clock, log, scopes, heartbeatMs = 20_000, sweepMs = 30_000 } = parts
  const watchedOrgs = new Map<string, WatchedOrg>()
  const byUser = new Map<string, Set<Reader>>()
  let closing = false
  let count = 0
  let timers: NodeJS.Timeout[] = []

  const remove = (reader: Reader) => {
    if (reader.closed) return
    reader.closed = true
    count -= 1
    const watched = watchedOrgs.get(reader.orgId)
    watched?.readers.delete(reader)
    if (watched && !watched.readers.size) {
      watchedOrgs.delete(reader.orgId)
      pump.forget(watched)
    }
    const mine = byUser.get(reader.userId)
    mine?.delete(reader)
    if (!mine?.size) byUser.delete(reader.userId)
    elsewhere.announce(reader.userId, mine?.size ?? 0)
    if (!count) stopTimers()
  }
  const send = createSend(log, remove)
  const dropAll = (watched: WatchedOrg) => {
    for (const reader of [...watched.readers]) {
      remove(reader)
      reader.sink.destroy()
    }
  }
  const pump = createPump({
    log,
    send,
    sightOf: (watched, frames) => sightOf(scopes, watched.feed.orgId, frames),
    broken: dropAll,
  })

  const watchedOrgOf = (orgId: string): WatchedOrg => {
    const known = watchedOrgs.get(orgId)
    if (known) return known
    const watched: WatchedOrg = {
      readers: new Set(),
      feed: createFeed({
        orgId,
        log,
        head: () => headOf(databases.read, orgId),
        after: (seq, limit) => eventsAfter(databases.read, orgId, seq, limit),
        ready: () => pump.ready(watched),
        broken: () => dropAll(watched),
      }),
    }
    watchedOrgs.set(orgId, watched)
    return watched
  }

  /** A reader that gets `resync` reconnects with its current role. */
  const end = (reader: Reader, reason: GoodbyeReason | 'roleChanged') => {
    if (reader.closed) return
    remove(reader)
    reader.sink.write(reason === 'roleChanged' ? resyncAt(Math.max(0, reader.cursor)) : goodbyes[reason])
    reader.sink.end()
    // A reader that does not read must neither keep what it may no longer see nor delay the shutdown.
    setTimeout(() => reader.sink.destroy(), goodbyeMs).unref()
  }

  const dropHere = ({ userId, sessionId, orgId }: Dropped) => {
    for (const reader of [...(byUser.get(userId) ?? [])])
      if (orgId !== undefined) {
        if (reader.orgId === orgId) end(reader, 'notMember')
      } else if (sessionId === undefined || reader.sessionId === sessionId) end(reader, 'signedOut')
  }

  const reachAll = async () => {
    if (!watchedOrgs.size) return
    const heads = await headsOf(databases.read, [...watchedOrgs.keys()])
    for (const [orgId, seq] of heads) watchedOrgs.get(orgId)?.feed.reach(seq)
  }

  const others = joinOtherProcesses({
    signals: databases.signals,
    log,
    reach: (orgId, seq) => watchedOrgs.get(orgId)?.feed.reach(seq),
    reachAll,
    drop: dropHere,
  })

  const elsewhere = createStreamsElsewhere({
    signals: databases.signals,
    ...(parts.monotonicMs ? { nowMs: parts.monotonicMs } : {}),
    own: () => [...byUser].map(([userId, mine]) => [userId, mine.size] as const),
  })

  const streamsOf = (userId: string) => (byUser.get(userId)?.size ?? 0) + elsewhere.of(userId)

  const shortLived = createShortLived({
    databases,
    clock,
    log,
    ...(parts.shortLivedMs === undefined ? {} : { keptMs: parts.shortLivedMs }),
  })

  const startTimers = () => {
    if (timers.length) return
    const beat = () => pump.beat([...watchedOrgs.values()].flatMap(watched => [...watched.readers]))
    const sweep = () => live.sweep().catch(error => log.error({ err: error }, 'live streams could not be checked'))
    timers = [setInterval(beat, heartbeatMs), setInterval(sweep, sweepMs)]
    for (const timer of timers) timer.unref()
  }
  const stopTimers = () => {
    for (const timer of timers) clearInterval(timer)
    timers = []
  }

  const live: LiveHub = {
    async record(trx, orgId, drafts, by) {
      if (!drafts.length) return []
      const at = isoNow(clock)
      const last = await takeSeqs(trx, orgId, drafts.length)
      const events = drafts.map((draft, i) => ({
        orgId,
        seq: last - drafts.length + 1 + i,
        type: draft.type,
        at,
        number: draft.number ?? null,
        conversationId: draft.conversationId ?? null,
        audience: draft.audience ?? null,
        actor: by?.kind ?? null,
        actorName: by?.name ?? null,
        data: draft.data,
        json: JSON.stringify(draft.data ?? null),
      }))
      await insertEvents(trx, orgId, events)
      return events
    },
    publish(events) {
      shortLived.expect(events)
      for (const event of events) {
        const watched = watchedOrgs.get(event.orgId)
        watched?.feed.offer(event.seq, () =>
          frameOf({ ...event, json: event.json ?? JSON.stringify(event.data ?? null) }),
        )
      }
      others.announceStored(events)
    },
    head: orgId => headOf(databases.read, orgId),
    mayOpenStream: userId => streamsOf(userId) < maxStreamsPerUser,
    isOnline: userId => streamsOf(userId) > 0,
    subscribe(watcher, sink, since) {
      if (closing) {
        sink.write(goodbyes.shutdown)
        sink.end()
        return { close: () => {} }
      }
      const { orgId, userId, sessionId, role, creatorId } = watcher
      const who = { orgId, userId, sessionId, role, ...(creatorId === undefined ? {} : { creatorId }) }
      const reader: Reader = { ...who, sink, cursor: -1, attached: false, closed: false }
      const watched = watchedOrgOf(orgId)
      watched.readers.add(reader)
      const mine = byUser.get(userId) ?? new Set()
      byUser.set(userId, mine.add(reader))
      elsewhere.announce(userId, mine.size)
      count += 1
      startTimers()
      const look = (frames: readonly Frame[]) => sightOf(scopes, orgId, frames)
      replay({ db: databases.read, feed: watched.feed, send, sightOf: look }, reader, since).catch(error => {
        log.error({ err: error, orgId, userId }, 'a stream of live events could not start')
        remove(reader)
        sink.destroy()
      })
      return { close: () => remove(reader) }
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
    async sweep() {
      const readers = [...byUser.values()].flatMap(mine => [...mine])
      const ended = await endedWatchers(databases.read, readers, isoNow(clock))
      for (const [reader, reason] of ended) end(reader, reason)
      await reachAll()
    },
    async prune(now = clock.now()) {
      const before = new Date(now.getTime() - keptDays * 24 * 60 * 60 * 1000).toISOString()
      const old = await inBatches(pruneRows, limit =>
        inTransaction(databases, trx => deleteEventsBefore(trx, before, limit)),
      )
      return (await shortLived.prune(now)) + old
    },
    async close() {
      closing = true
      shortLived.stop()
      const readers = [...byUser.values()].flatMap(mine => [...mine])
      for (const reader of readers) end(reader, 'shutdown')
      stopTimers()
      await Promise.race([
        Promise.all(readers.map(reader => reader.sink.drained())),
        new Promise(resolve => setTimeout(resolve, goodbyeMs)),
      ])
      for (const reader of readers) reader.sink.destroy()
    },
    get streams() {
      return count
    },
  }
  return live
}
