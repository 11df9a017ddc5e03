import type { Db } from '#server/platform/db/database.ts'
import type { Feed } from './feed.ts'
import { chunkOf, type Frame, frameOf, greeting, place, resyncAt } from './frame.ts'
import { maxChunkBytes, type Reader, type Send } from './reader.ts'
import type { Sight } from './sight.ts'
import { eventsAfter, headOf, oldestOf } from './store.ts'

/** More than this missed, and refetching is cheaper than replaying. */
export const maxReplayedEvents = 2000
const replayRows = 100

/** As much as one write may carry at a time, each as fast as the reader takes it. */
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
  sightOf(frames: readonly Frame[]): Promise<Sight>
}

/**
 * Replays from the table until the reader stands where the feed stands; only then, in the same turn, it joins. Too much
 * missed, or no longer kept: the reader is told to start anew, as it is after a replay that lacks what has passed.
 */
export async function replay(parts: ReplayParts, reader: Reader, since?: number): Promise<void> {
  const { db, feed, send, sightOf } = parts
  reader.sink.write(greeting)
  await feed.opened
  const startAnew = () => {
    reader.cursor = feed.last
    send(reader, resyncAt(feed.last))
  }
  if (since === undefined) {
    reader.cursor = feed.last
    send(reader, place(feed.last))
  } else if (since > feed.last && since > (await headOf(db, reader.orgId))) startAnew()
  else reader.cursor = since
  let isHoled = false
  while (!reader.closed && reader.cursor < feed.last) {
    if (feed.last - reader.cursor > maxReplayedEvents) {
      startAnew()
      break
    }
    const upTo = feed.last
    const rows = await eventsAfter(db, reader.orgId, reader.cursor, replayRows)
    const isWhole = rows[0]?.seq === reader.cursor + 1
    // A hole behind an event that is kept is of passing ones.
    if (!isWhole && ((await oldestOf(db, reader.orgId)) ?? Number.POSITIVE_INFINITY) > reader.cursor + 1) {
      startAnew()
      break
    }
    isHoled ||= (rows.at(-1)?.seq ?? upTo) - reader.cursor > rows.length
    const frames = rows.map(frameOf)
    const sight = await sightOf(frames)
    reader.cursor = rows.at(-1)?.seq ?? upTo
    await writeFrames(
      reader,
      frames.filter(frame => sight.has(frame, reader)),
    )
  }
  // What colleagues were at when a tab was away nobody replays: it asks for what it shows of that.
  if (isHoled && !reader.closed) startAnew()
  reader.attached = true
}
