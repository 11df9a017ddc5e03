import type { Feed } from './feed.ts'
import { type Chunk, chunkOf, type Frame, heartbeat } from './frame.ts'
import { maxChunkBytes, type Reader, type Send } from './reader.ts'

/** Writes per turn of the event loop: about ten milliseconds. */
const writesPerTurn = 1500

/** An organization with its readers. */
export interface Room {
  readonly feed: Feed
  readonly readers: Set<Reader>
}

export interface Pump {
  /** The room's feed has frames to give away. */
  ready(room: Room): void
  /** The room is gone. */
  forget(room: Room): void
  /** A sign of life to each. */
  beat(readers: Reader[]): void
}

interface Batch {
  readonly last: number
  chunkFor(reader: { cursor: number; userId: string }): Chunk | undefined
}

/** One batch of frames for many readers: those who see the same get the same bytes. */
const batchOf = (frames: readonly Frame[]): Batch => {
  const first = (frames[0] as Frame).seq
  const last = (frames.at(-1) as Frame).seq
  const personal = frames.some(frame => frame.audience)
  const byUser = new Map<string, Chunk | undefined>()
  let whole: Chunk | undefined
  const chunk = (some: readonly Frame[]) => (some.length ? chunkOf(some.map(frame => frame.bytes)) : undefined)
  const mayHave = (frame: Frame, userId: string) => !frame.audience || frame.audience.includes(userId)
  return {
    last,
    chunkFor({ cursor, userId }) {
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

const beatBatch: Batch = { last: -1, chunkFor: () => heartbeat }

/** Gives the organizations' frames to their readers, a share in each turn, so that requests get theirs. */
export function createPump(send: Send): Pump {
  const work: { readers: Reader[]; batch: Batch; at: number }[] = []
  const dirty = new Set<Room>()
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

  const pump = () => {
    scheduled = false
    for (let budget = writesPerTurn; budget > 0; ) {
      const job = work[0]
      if (!job) {
        const [room] = dirty
        if (!room) return
        const frames = room.feed.take(maxChunkBytes)
        dirty.delete(room)
        if (frames.length) {
          // A burst of one organization goes behind the others' turn.
          dirty.add(room)
          work.push({ readers: [...room.readers], batch: batchOf(frames), at: 0 })
        }
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
    ready(room) {
      dirty.add(room)
      schedule()
    },
    forget: room => void dirty.delete(room),
    beat(readers) {
      work.push({ readers, at: 0, batch: beatBatch })
      schedule()
    },
  }
}
