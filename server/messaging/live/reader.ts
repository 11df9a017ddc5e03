import type { Log } from '#server/platform/log/log.ts'
import type { Chunk } from './frame.ts'
import type { Watcher } from './watcher-store.ts'

/** The destination of a stream's bytes. `pending`: bytes not yet sent to the network. */
export interface Sink {
  readonly pending: number
  write(chunk: Chunk): void
  /** Resolves when nothing is pending or the sink is closed. */
  drained(): Promise<void>
  /** Ends after the pending bytes. */
  end(): void
  /** Ends at once. */
  destroy(): void
}

/** An open stream and its position. */
export interface Reader extends Watcher {
  readonly sink: Sink
  /** The last number this reader got or skipped. */
  cursor: number
  /** It has caught up with the feed and gets new events. */
  attached: boolean
  closed: boolean
}

/** A slow reader with more pending bytes is closed. It resumes by id. */
export const maxPendingBytes = 256 * 1024
/** Larger bursts are written in several chunks, so that a healthy reader never seems slow. */
export const maxChunkBytes = 64 * 1024

export type Send = (reader: Reader, chunk: Chunk) => void

/** Writes to a reader, and closes a reader that does not read. */
export const createSend =
  (log: Log, remove: (reader: Reader) => void): Send =>
  (reader, chunk) => {
    reader.sink.write(chunk)
    if (reader.sink.pending <= maxPendingBytes) return
    const { orgId, userId, sink } = reader
    log.info({ orgId, userId, pending: sink.pending }, 'slow reader of live events closed')
    remove(reader)
    sink.destroy()
  }
