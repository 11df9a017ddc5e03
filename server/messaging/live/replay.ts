import type { Db } from '#server/platform/db/database.ts'
import type { Feed } from './feed.ts'
import { chunkOf, type Frame, frameOf, greeting, place, resyncAt } from './frame.ts'
import { maxChunkBytes, type Reader, type Send } from './reader.ts'
import type { Sight } from './sight.ts'
import { eventsAfter, readHead, readOldest } from './store.ts'

/** A page that missed more events is reloaded, which is cheaper than replaying them. */
export const maxReplayedEvents = 2000
const replayRows = 100

/** Writes frames in chunks, as fast as the reader reads them. */
const writeFrames = async (reader: Reader, frames: readonly Frame[]): Promise<void> => {
  const { sink } = reader
  for (let rest = frames; rest.length && !reader.closed; ) {
    let bytes = 0
    let fits = 0
    while (fits < rest.length && (!fits || bytes < maxChunkBytes)) bytes += (rest[fits++] as Frame).bytes.length
    sink.write(chunkOf(rest.slice(0, fits).map(frame => frame.bytes)))
    rest = rest.slice(fits)
    if (sink.pending > maxChunkBytes) await sink.drained()
  }
}

interface ReplayParts {
  readonly db: Db
  readonly feed: Feed
  readonly send: Send
  readSight(frames: readonly Frame[]): Promise<Sight>
}

/**
 * Replays events from the table until the reader has caught up with the feed, then joins it to the feed in the same
 * turn. Sends `resync` if too many were missed, or some were deleted.
 */
export async function replay(parts: ReplayParts, reader: Reader, since?: number): Promise<void> {
  const { db, feed, send, readSight } = parts
  reader.sink.write(greeting)
  await feed.opened
  const sendResync = () => {
    reader.cursor = feed.last
    send(reader, resyncAt(feed.last))
  }
  if (since === undefined) {
    reader.cursor = feed.last
    send(reader, place(feed.last))
  } else if (since > feed.last && since > (await readHead(db, reader.orgId))) sendResync()
  else reader.cursor = since
  let hasGap = false
  while (!reader.closed && reader.cursor < feed.last) {
    if (feed.last - reader.cursor > maxReplayedEvents) {
      sendResync()
      break
    }
    const upTo = feed.last
    const rows = await eventsAfter(db, reader.orgId, reader.cursor, replayRows)
    const isWhole = rows[0]?.seq === reader.cursor + 1
    // A gap after an event that still exists consists of deleted short-lived events.
    if (!isWhole && ((await readOldest(db, reader.orgId)) ?? Number.POSITIVE_INFINITY) > reader.cursor + 1) {
      sendResync()
      break
    }
    hasGap ||= (rows.at(-1)?.seq ?? upTo) - reader.cursor > rows.length
    const frames = rows.map(frameOf)
    const sight = await readSight(frames)
    reader.cursor = rows.at(-1)?.seq ?? upTo
    await writeFrames(
      reader,
      frames.filter(frame => sight.has(frame, reader)),
    )
  }
  // Presence and typing are not replayed. The tab reloads what it shows of them.
  if (hasGap && !reader.closed) sendResync()
  reader.attached = true
}
