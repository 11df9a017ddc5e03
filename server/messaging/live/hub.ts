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
import { createPassing } from './passing.ts'
import { createPump, type WatchedOrg } from './pump.ts'
import { createSend, type Reader, type Sink } from './reader.ts'
import { replay } from './replay.ts'
import { sightOf } from './sight.ts'
import { deleteEventsBefore, eventsAfter, headOf, headsOf, insertEvents, takeSeqs } from './store.ts'
import { createStreamsElsewhere } from './streams-elsewhere.ts'
import { endedWatchers, type Watcher } from './watcher-store.ts'

/** An event as open tabs are told of it, before it has its number. */
export interface EventDraft {
  type: LiveEventName
  data: unknown
  /** The customer's number the event is about. */
  number?: string
  /** The conversation it is about: only those who see it get it. Null or absent: about none. */
  conversationId?: string | null
  /** User ids, or who has a role (`audience.ts`); absent: everybody who may read chats. */
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
  /** The kind of who did it. */
  actor?: string | null
  /** Their name. */
  actorName?: string | null
  data: unknown
  /** `data` as it was stored, so that it is made text once. */
  json?: string
}

export interface Subscription {
  /** The reader is gone; nothing is written any more. */
  close(): void
}

/** The log of live events: only the listener of domain events has it. @see createLiveListener */
export interface LiveLog {
  /** Stores events inside the caller's transaction; hand the answer to `publish` after the commit. */
  record(trx: Db, orgId: string, drafts: readonly EventDraft[], by?: EventActor): Promise<StoredEvent[]>
  /** Sends stored events to those who watch. Only after the commit; a lost or late call is made good within a minute. */
  publish(events: readonly StoredEvent[]): void
}

export interface Live {
  /** The number of the newest event: read it before the data of a page, and the page's stream can start after it. */
  head(orgId: string): Promise<number>
  /** False: this person has as many streams as one may, over all processes. */
  mayOpenStream(userId: string): boolean
  /** Streams what comes after `since` (absent: from now on) without a gap, or says `resync` when too much was missed. */
  subscribe(watcher: Watcher, sink: Sink, since?: number): Subscription
  /** Ends a person's streams at once, or only those of one session. */
  dropUser(userId: string, sessionId?: string): void
  /** Ends a person's streams of one organization at once. */
  dropMember(orgId: string, userId: string): void
  /** Ends the streams whose session or membership has ended, and looks for events whose publish got lost. Runs by itself. */
  sweep(): Promise<void>
  /** Deletes what is older than is kept, a little at a time; answers how many events went. */
  prune(now?: Date): Promise<number>
  /** Says goodbye to all and ends every stream within a second. */
  close(): Promise<void>
  readonly streams: number
}

export type LiveHub = Live & LiveLog

export interface LiveParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly scopes: Pick<Scopes, 'limitsOf' | 'factsOf'>
  /** Tests shorten or lengthen them. */
  readonly heartbeatMs?: number
  readonly sweepMs?: number
  readonly passingMs?: number
  monotonicMs?(): number
}

export const maxStreamsPerUser = 20
const keptDays = 90
const pruneRows = 2000
/** How long a reader has to take its goodbye. */
const goodbyeMs = 500

/**
 * The hub of live events. Numbers are given inside the transaction that makes the change, so a stream's order is the
 * order of commits; everything else here is about many readers for few bytes.
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
    elsewhere.tell(reader.userId, mine?.size ?? 0)
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

  /** Whoever is told to start anew comes back by itself, as who it is by then. */
  const end = (reader: Reader, reason: GoodbyeReason | 'roleChanged') => {
    if (reader.closed) return
    remove(reader)
    reader.sink.write(reason === 'roleChanged' ? resyncAt(Math.max(0, reader.cursor)) : goodbyes[reason])
    reader.sink.end()
    // A reader that takes nothing must not keep what it may no longer see, nor the shutdown.
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

  const passing = createPassing({
    databases,
    clock,
    log,
    ...(parts.passingMs === undefined ? {} : { keptMs: parts.passingMs }),
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
      passing.expect(events)
      for (const event of events) {
        const watched = watchedOrgs.get(event.orgId)
        watched?.feed.offer(event.seq, () =>
          frameOf({ ...event, json: event.json ?? JSON.stringify(event.data ?? null) }),
        )
      }
      others.tellStored(events)
    },
    head: orgId => headOf(databases.read, orgId),
    mayOpenStream: userId => (byUser.get(userId)?.size ?? 0) + elsewhere.of(userId) < maxStreamsPerUser,
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
      elsewhere.tell(userId, mine.size)
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
      return (await passing.prune(now)) + old
    },
    async close() {
      closing = true
      passing.stop()
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
