import type { LiveEventName } from '#shared/live.ts'
import { type Clock, isoNow } from '../clock.ts'
import type { Databases, Db } from '../db.ts'
import type { Log } from '../log.ts'
import { createFeed, type Feed } from './feed.ts'
import {
  type Chunk,
  chunkOf,
  type Frame,
  frameOf,
  type GoodbyeReason,
  goodbyes,
  greeting,
  heartbeat,
  place,
  resyncAt,
} from './frame.ts'
import {
  deleteEventsBefore,
  endedWatchers,
  eventsAfter,
  headOf,
  headsOf,
  insertEvents,
  takeSeqs,
  type Watcher,
} from './store.ts'

/** What a service asks to be told to the organization's people. */
export interface EventDraft {
  type: LiveEventName
  data: unknown
  /** The customer's number the event is about. */
  number?: string
  /** User ids; absent: everybody who may read chats. */
  audience?: readonly string[]
}

export interface StoredEvent {
  orgId: string
  seq: number
  type: string
  at: string
  number: string | null
  audience: readonly string[] | null
  data: unknown
  /** `data` as it was stored, so that it is made text once. */
  json?: string
}

/** Where a stream's bytes go. `pending`: bytes handed over and not yet with the network. */
export interface Sink {
  readonly pending: number
  write(chunk: Chunk): void
  /** Resolves when nothing waits any more, or the sink is gone. */
  drained(): Promise<void>
  /** Ends after what was written. */
  end(): void
  /** Ends now. */
  destroy(): void
}

export interface Subscription {
  /** The reader is gone; nothing is written any more. */
  close(): void
}

export interface Live {
  /** Stores events inside the caller's transaction; hand the answer to `publish` after the commit. */
  record(trx: Db, orgId: string, drafts: readonly EventDraft[]): Promise<StoredEvent[]>
  /** Sends stored events to those who watch. Only after the commit; a lost or late call is made good within a minute. */
  publish(events: readonly StoredEvent[]): void
  /** The number of the newest event: read it before the data of a page, and the page's stream can start after it. */
  head(orgId: string): Promise<number>
  /** False: this person has as many streams as one may. */
  hasRoom(userId: string): boolean
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

export interface LiveParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  /** Tests shorten or lengthen them. */
  readonly heartbeatMs?: number
  readonly sweepMs?: number
}

/** More than this missed, and refetching is cheaper than replaying. */
export const maxReplayedEvents = 2000
/** What a slow reader may hold before it is closed; it resumes by id. */
export const maxPendingBytes = 256 * 1024
export const maxStreamsPerUser = 20
export const keptDays = 90
/** One write to one client; a burst goes out in several, so that a healthy reader never looks slow. */
const maxChunkBytes = 64 * 1024
/** Writes per turn of the event loop: about ten milliseconds. */
const writesPerTurn = 1500
const replayRows = 100
const pruneRows = 2000
/** How long a reader has to take its goodbye. */
const goodbyeMs = 500

interface Subscriber extends Watcher {
  readonly sink: Sink
  /** The last number this reader has had, or has been passed over for. */
  cursor: number
  attached: boolean
  closed: boolean
}

interface Room {
  readonly feed: Feed
  readonly subscribers: Set<Subscriber>
  waiting: boolean
}

/** One batch of frames for many readers: those who see the same get the same bytes. */
const batchOf = (frames: readonly Frame[]) => {
  const first = (frames[0] as Frame).seq
  const last = (frames.at(-1) as Frame).seq
  const personal = frames.some(frame => frame.audience)
  const byUser = new Map<string, Chunk | undefined>()
  let whole: Chunk | undefined
  const chunk = (some: readonly Frame[]) => (some.length ? chunkOf(some.map(frame => frame.bytes)) : undefined)
  const mayHave = (frame: Frame, userId: string) => !frame.audience || frame.audience.includes(userId)
  return {
    last,
    chunkFor({ cursor, userId }: { cursor: number; userId: string }): Chunk | undefined {
      if (cursor >= last) return undefined
      if (cursor >= first) return chunk(frames.filter(frame => frame.seq > cursor && mayHave(frame, userId)))
      if (!personal) {
        whole ??= chunk(frames)
        return whole
      }
      if (!byUser.has(userId)) byUser.set(userId, chunk(frames.filter(frame => mayHave(frame, userId))))
      return byUser.get(userId)
    },
  }
}

/**
 * The hub of live events. Numbers are given inside the transaction that makes the change, so a stream's order is the
 * order of commits; everything else here is about many readers for few bytes.
 */
export function createLive({ databases, clock, log, heartbeatMs = 20_000, sweepMs = 30_000 }: LiveParts): Live {
  const rooms = new Map<string, Room>()
  const byUser = new Map<string, Set<Subscriber>>()
  const work: { readers: Subscriber[]; batch: ReturnType<typeof batchOf>; at: number }[] = []
  const dirty = new Set<Room>()
  let scheduled = false
  let closing = false
  let count = 0
  let timers: NodeJS.Timeout[] = []

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(pump)
  }

  const deliver = (reader: Subscriber, batch: ReturnType<typeof batchOf>) => {
    if (reader.closed || !reader.attached) return
    const chunk = batch.chunkFor(reader)
    if (reader.cursor < batch.last) reader.cursor = batch.last
    if (chunk) send(reader, chunk)
  }
  const send = (reader: Subscriber, chunk: Chunk) => {
    reader.sink.write(chunk)
    if (reader.sink.pending <= maxPendingBytes) return
    log.info(
      { orgId: reader.orgId, userId: reader.userId, pending: reader.sink.pending },
      'slow reader of live events closed',
    )
    remove(reader)
    reader.sink.destroy()
  }

  /** A turn's share of writes; what is left waits for the next turn, so that requests get theirs. */
  const pump = () => {
    scheduled = false
    for (let budget = writesPerTurn; budget > 0; ) {
      const job = work[0]
      if (!job) {
        const [room] = dirty
        if (!room) return
        const frames = room.feed.take(maxChunkBytes)
        if (!frames.length) dirty.delete(room)
        // A burst of one organization goes behind the others' turn.
        else {
          dirty.delete(room)
          dirty.add(room)
          work.push({ readers: [...room.subscribers], batch: batchOf(frames), at: 0 })
        }
        continue
      }
      const end = Math.min(job.readers.length, job.at + budget)
      budget -= Math.max(1, end - job.at)
      for (; job.at < end; job.at += 1) deliver(job.readers[job.at] as Subscriber, job.batch)
      if (job.at >= job.readers.length) work.shift()
    }
    schedule()
  }

  const roomOf = (orgId: string): Room => {
    const known = rooms.get(orgId)
    if (known) return known
    const room: Room = {
      subscribers: new Set(),
      waiting: false,
      feed: createFeed({
        orgId,
        log,
        head: () => headOf(databases.read, orgId),
        after: (seq, limit) => eventsAfter(databases.read, orgId, seq, limit),
        ready: () => {
          dirty.add(room)
          schedule()
        },
        broken: () => {
          for (const reader of [...room.subscribers]) {
            remove(reader)
            reader.sink.destroy()
          }
        },
      }),
    }
    rooms.set(orgId, room)
    return room
  }

  const remove = (reader: Subscriber) => {
    if (reader.closed) return
    reader.closed = true
    count -= 1
    const room = rooms.get(reader.orgId)
    room?.subscribers.delete(reader)
    if (room && !room.subscribers.size) {
      rooms.delete(reader.orgId)
      dirty.delete(room)
    }
    const mine = byUser.get(reader.userId)
    mine?.delete(reader)
    if (!mine?.size) byUser.delete(reader.userId)
    if (!count) stopTimers()
  }
  const end = (reader: Subscriber, reason: GoodbyeReason) => {
    if (reader.closed) return
    remove(reader)
    reader.sink.write(goodbyes[reason])
    reader.sink.end()
    // A reader that takes nothing must not keep what it may no longer see, nor the shutdown.
    setTimeout(() => reader.sink.destroy(), goodbyeMs).unref()
  }

  const startTimers = () => {
    if (timers.length) return
    const sweep = () => live.sweep().catch(error => log.error({ err: error }, 'live streams could not be checked'))
    timers = [setInterval(beat, heartbeatMs), setInterval(sweep, sweepMs)]
    for (const timer of timers) timer.unref()
  }
  const stopTimers = () => {
    for (const timer of timers) clearInterval(timer)
    timers = []
  }
  const beat = () => {
    const readers = [...rooms.values()].flatMap(room => [...room.subscribers])
    work.push({ readers, at: 0, batch: { last: -1, chunkFor: () => heartbeat } })
    schedule()
  }

  /** Replays from the table until the reader stands where the feed stands; only then, in the same turn, it joins. */
  const start = async (reader: Subscriber, room: Room, since: number | undefined) => {
    const { feed } = room
    reader.sink.write(greeting)
    await feed.opened
    const startAnew = () => {
      reader.cursor = feed.last
      send(reader, resyncAt(feed.last))
    }
    if (since === undefined) {
      reader.cursor = feed.last
      send(reader, place(feed.last))
    } else if (since > feed.last && since > (await headOf(databases.read, reader.orgId))) startAnew()
    else reader.cursor = since
    while (!reader.closed && reader.cursor < feed.last) {
      if (feed.last - reader.cursor > maxReplayedEvents) {
        startAnew()
        break
      }
      const rows = await eventsAfter(databases.read, reader.orgId, reader.cursor, replayRows)
      if (rows[0]?.seq !== reader.cursor + 1) {
        startAnew()
        break
      }
      const frames = rows.filter(row => !row.audience || row.audience.includes(reader.userId)).map(frameOf)
      reader.cursor = (rows.at(-1) as { seq: number }).seq
      for (let rest = frames; rest.length && !reader.closed; ) {
        let bytes = 0
        let fits = 0
        while (fits < rest.length && (!fits || bytes < maxChunkBytes)) bytes += (rest[fits++] as Frame).bytes.length
        reader.sink.write(chunkOf(rest.slice(0, fits).map(frame => frame.bytes)))
        rest = rest.slice(fits)
        if (reader.sink.pending > maxChunkBytes) await reader.sink.drained()
      }
    }
    reader.attached = true
  }

  const live: Live = {
    async record(trx, orgId, drafts) {
      if (!drafts.length) return []
      const at = isoNow(clock)
      const last = await takeSeqs(trx, orgId, drafts.length)
      const events = drafts.map((draft, i) => ({
        orgId,
        seq: last - drafts.length + 1 + i,
        type: draft.type,
        at,
        number: draft.number ?? null,
        audience: draft.audience ?? null,
        data: draft.data,
        json: JSON.stringify(draft.data ?? null),
      }))
      await insertEvents(trx, orgId, events)
      return events
    },
    publish(events) {
      for (const event of events) {
        const room = rooms.get(event.orgId)
        room?.feed.offer(event.seq, () => frameOf({ ...event, json: event.json ?? JSON.stringify(event.data ?? null) }))
      }
    },
    head: orgId => headOf(databases.read, orgId),
    hasRoom: userId => (byUser.get(userId)?.size ?? 0) < maxStreamsPerUser,
    subscribe(watcher, sink, since) {
      if (closing) {
        sink.write(goodbyes.shutdown)
        sink.end()
        return { close: () => {} }
      }
      const { orgId, userId, sessionId } = watcher
      const reader: Subscriber = { orgId, userId, sessionId, sink, cursor: -1, attached: false, closed: false }
      const room = roomOf(orgId)
      room.subscribers.add(reader)
      const mine = byUser.get(userId) ?? new Set()
      byUser.set(userId, mine.add(reader))
      count += 1
      startTimers()
      start(reader, room, since).catch(error => {
        log.error({ err: error, orgId, userId }, 'a stream of live events could not start')
        remove(reader)
        sink.destroy()
      })
      return { close: () => remove(reader) }
    },
    dropUser(userId, sessionId) {
      for (const reader of [...(byUser.get(userId) ?? [])])
        if (sessionId === undefined || reader.sessionId === sessionId) end(reader, 'signedOut')
    },
    dropMember(orgId, userId) {
      for (const reader of [...(byUser.get(userId) ?? [])]) if (reader.orgId === orgId) end(reader, 'notMember')
    },
    async sweep() {
      const readers = [...byUser.values()].flatMap(mine => [...mine])
      const ended = await endedWatchers(databases.read, readers, isoNow(clock))
      for (const [reader, reason] of ended) end(reader, reason)
      const heads = await headsOf(databases.read, [...rooms.keys()])
      for (const [orgId, seq] of heads) rooms.get(orgId)?.feed.reach(seq)
    },
    async prune(now = clock.now()) {
      const before = new Date(now.getTime() - keptDays * 24 * 60 * 60 * 1000).toISOString()
      let total = 0
      for (;;) {
        const gone = await databases.write
          .transaction()
          .execute(trx => deleteEventsBefore(trx as unknown as Db, before, pruneRows))
        total += gone
        if (gone < pruneRows) return total
      }
    },
    async close() {
      closing = true
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
