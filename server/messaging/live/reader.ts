import type { Log } from '#server/platform/log/log.ts'
import type { Chunk } from './frame.ts'
import type { Watcher } from './watcher-store.ts'

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

/** One open stream and how far it has come. */
export interface Reader extends Watcher {
  readonly sink: Sink
  /** The last number this reader has had, or has been passed over for. */
  cursor: number
  /** It stands where the feed stands, and gets what comes. */
  attached: boolean
  closed: boolean
}

/** What a slow reader may hold before it is closed; it resumes by id. */
export const maxPendingBytes = 256 * 1024
/** One write to one client; a burst goes out in several, so that a healthy reader never looks slow. */
export const maxChunkBytes = 64 * 1024

export type Send = (reader: Reader, chunk: Chunk) => void

/** Writes to a reader, and closes one that does not take what it is given. */
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
