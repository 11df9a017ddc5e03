import type { Log } from '#server/platform/log/log.ts'
import type { Feed } from './feed.ts'
import { type Chunk, chunkOf, type Frame, heartbeat } from './frame.ts'
import { maxChunkBytes, type Reader, type Send } from './reader.ts'
import type { Sight } from './sight.ts'

/** About ten milliseconds in one turn of the event loop. */
const writesPerTurn = 1500

/** An organization with its readers. */
export interface WatchedOrg {
  readonly feed: Feed
  readonly readers: Set<Reader>
}

interface Pump {
  /** Its feed has frames to send. */
  ready(watched: WatchedOrg): void
  /** It has no readers any more. */
  forget(watched: WatchedOrg): void
  /** Sends each reader a heartbeat. */
  beat(readers: Reader[]): void
}

interface Batch {
  readonly last: number
  chunkFor(reader: Reader): Chunk | undefined
}

/** One batch for many readers. Those who see the same frames share the bytes. */
const batchOf = (frames: readonly Frame[], sight: Sight): Batch => {
  const first = (frames[0] as Frame).seq
  const last = (frames.at(-1) as Frame).seq
  const byUser = new Map<string, Chunk | undefined>()
  let whole: Chunk | undefined
  const chunk = (some: readonly Frame[]) => (some.length ? chunkOf(some.map(frame => frame.bytes)) : undefined)
  return {
    last,
    chunkFor(reader) {
      const { cursor, userId } = reader
      if (cursor >= last) return undefined
      if (cursor >= first) return chunk(frames.filter(frame => frame.seq > cursor && sight.has(frame, reader)))
      if (sight.isCommon(reader)) {
        whole ??= chunk(frames)
        return whole
      }
      if (!byUser.has(userId)) byUser.set(userId, chunk(frames.filter(frame => sight.has(frame, reader))))
      return byUser.get(userId)
    },
  }
}

const beatBatch: Batch = { last: -1, chunkFor: () => heartbeat }

interface PumpParts {
  readonly log: Log
  readonly send: Send
  /** Returns which readers may see which frames. */
  readSight(watched: WatchedOrg, frames: readonly Frame[]): Promise<Sight>
  /** The rights could not be read: nobody gets the frames, and readers must reload. */
  broken(watched: WatchedOrg): void
}

/** Sends frames to readers, a part in each event loop turn, so that requests are not delayed. */
export function createPump({ log, send, readSight, broken }: PumpParts): Pump {
  const work: { readers: Reader[]; batch: Batch; at: number }[] = []
  const dirty = new Set<WatchedOrg>()
  /** Organizations whose taken frames are not sent yet. Later frames must wait. */
  const looking = new Set<WatchedOrg>()
  let scheduled = false

  const schedule = () => {
    if (scheduled) return
    scheduled = true
    setImmediate(pump)
  }

  const deliver = (reader: Reader, batch: Batch) => {
    if (reader.closed || !reader.attached) return
    const chunk = batch.chunkFor(reader)
    if (reader.cursor < batch.last) reader.cursor = batch.last
    if (chunk) send(reader, chunk)
  }

  const take = async (watched: WatchedOrg) => {
    dirty.delete(watched)
    const frames = watched.feed.take(maxChunkBytes)
    if (!frames.length) return
    looking.add(watched)
    try {
      const batch = batchOf(frames, await readSight(watched, frames))
      work.push({ readers: [...watched.readers], batch, at: 0 })
      // Other organizations are served before the rest of this burst.
      dirty.add(watched)
    } catch (error) {
      log.error({ err: error, orgId: watched.feed.orgId }, 'rights for live events could not be read; streams resync')
      broken(watched)
    } finally {
      looking.delete(watched)
      schedule()
    }
  }

  const pump = () => {
    scheduled = false
    for (let budget = writesPerTurn; budget > 0; ) {
      const job = work[0]
      if (!job) {
        const watched = [...dirty].find(one => !looking.has(one))
        if (!watched) return
        void take(watched)
        continue
      }
      const end = Math.min(job.readers.length, job.at + budget)
      budget -= Math.max(1, end - job.at)
      for (; job.at < end; job.at += 1) deliver(job.readers[job.at] as Reader, job.batch)
      if (job.at >= job.readers.length) work.shift()
    }
    schedule()
  }

  return {
    ready(watched) {
      dirty.add(watched)
      schedule()
    },
    forget: watched => void dirty.delete(watched),
    beat(readers) {
      work.push({ readers, at: 0, batch: beatBatch })
      schedule()
    },
  }
}
