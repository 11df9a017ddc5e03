import type { Log } from '#server/platform/log/log.ts'
import { type Frame, frameOf } from './frame.ts'
import type { EventRow } from './store.ts'

/**
 * Releases an organization's events in order of their numbers, in whatever order they are published. Numbers have no
 * gaps and are committed in order, so a jump means that another publish is late or lost: the missing events are read
 * from the table, and the late publish is ignored.
 */
export interface Feed {
  readonly orgId: string
  /** The last released number. All events up to it are in the table. */
  readonly last: number
  /** Resolves when `last` is known. */
  readonly opened: Promise<void>
  /** `make` is called only if the event was not released before. */
  offer(seq: number, make: () => Frame): void
  /** The table has events up to this number. */
  reach(seq: number): void
  /** The next released frames, up to `maxBytes` but at least one. Empty: none. */
  take(maxBytes: number): Frame[]
}

interface FeedParts {
  readonly orgId: string
  readonly log: Log
  head(): Promise<number>
  after(seq: number, limit: number): Promise<EventRow[]>
  /** Frames can be taken. */
  ready(feed: Feed): void
  /** The table lacks events that it should have. Readers must reload. */
  broken(feed: Feed): void
}

const rowsPerRead = 200

export function createFeed(parts: FeedParts): Feed {
  let last = -1
  let queue: Frame[] = []
  const early = new Map<number, Frame>()
  let target = 0
  let reading = false

  const release = (frame: Frame) => {
    last = frame.seq
    queue.push(frame)
  }
  const settle = () => {
    for (const seq of early.keys()) if (seq <= last) early.delete(seq)
    for (let next = early.get(last + 1); next; next = early.get(last + 1)) {
      early.delete(next.seq)
      release(next)
    }
    for (const seq of early.keys()) target = Math.max(target, seq)
    if (queue.length) parts.ready(feed)
    if (target > last && !reading) void catchUp()
  }
  const catchUp = async () => {
    reading = true
    try {
      while (last < target) {
        const from = last
        const rows = await parts.after(from, rowsPerRead)
        if (rows[0]?.seq !== from + 1) throw new Error(`Event ${from + 1} is not in the table`)
        for (const row of rows) if (row.seq === last + 1) release(frameOf(row))
        parts.ready(feed)
      }
    } catch (error) {
      parts.log.error(
        { err: error, orgId: parts.orgId, last, target },
        'live events cannot be read; streams start again',
      )
      parts.broken(feed)
      return
    }
    reading = false
    settle()
  }

  const feed: Feed = {
    orgId: parts.orgId,
    get last() {
      return last
    },
    opened: Promise.resolve(),
    offer(seq, make) {
      if (last >= 0 && seq <= last) return
      if (last >= 0 && seq === last + 1 && !reading) {
        release(make())
        if (early.size) settle()
        else parts.ready(feed)
        return
      }
      early.set(seq, make())
      if (last >= 0) settle()
    },
    reach(seq) {
      target = Math.max(target, seq)
      if (last >= 0) settle()
    },
    take(maxBytes) {
      let bytes = 0
      let count = 0
      for (const frame of queue) {
        if (count && bytes + frame.bytes.length > maxBytes) break
        bytes += frame.bytes.length
        count += 1
      }
      const taken = count === queue.length ? queue : queue.slice(0, count)
      queue = count === queue.length ? [] : queue.slice(count)
      return taken
    },
  }
  const open = async () => {
    last = await parts.head()
    settle()
  }
  return Object.defineProperty(feed, 'opened', { value: open() })
}
