import { setTimeout as wait } from 'node:timers/promises'
import { randomInt } from '#server/platform/crypto/random.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { isDatabaseTrouble } from '#server/platform/db/faults.ts'
import { systemActor } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { type Lease, LeaseLost } from '#server/platform/jobs/lease.ts'
import type { Log } from '#server/platform/log/log.ts'
import { type Clock, isoNow, monotonicMs } from '#server/platform/time/clock.ts'
import { retryAfterIn } from '../requests.ts'
import { isObject } from '../shapes.ts'
import type { StreamState } from '../table.ts'
import { createSseParser, type SseMessage } from './sse-parser.ts'
import { isAnsweredFor } from './store.ts'
import { findStream, saveStreamPlace, saveStreamState } from './stream-store.ts'
import { maxEventBytes, type TakenEvent, type Taking } from './taking.ts'

/** Events of one transaction. */
const eventsPerWrite = 50
/** Another process reads. Look again after this time, in case it died. */
const leaseRetryMs = 1_000
/** The upstream does not serve the stream. It may after its next release. */
const absentRetryMs = 10 * 60_000
/** A stream that stood this long begins with the first gap again when it ends. */
const steadyMs = 10_000

const defaultTiming = {
  /** Longest time without a byte: an upstream sends a comment every half minute. */
  idleTimeoutMs: 60_000,
  firstGapMs: 500,
  maxGapMs: 60_000,
}

interface StreamParts {
  /** The address of the stream. Its position is stored under it. */
  readonly address: string
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly writes: Pick<Writes, 'runMany'>
  /** Held by the one process that reads the stream. */
  readonly lease: Lease
  readonly take: Taking
  /** Connects with a token of the installation. */
  open(headers: Readonly<Record<string, string>>, signal: AbortSignal): Promise<Response>
  readonly timing?: Partial<typeof defaultTiming>
}

/** Thrown when the stream ended. */
class StreamEnd extends Error {
  override readonly name = 'StreamEnd'
  /** Waits this long instead of the next gap. */
  readonly waitMs: number | undefined
  readonly isAbsent: boolean
  constructor(detail: string, { waitMs, isAbsent = false }: { waitMs?: number | undefined; isAbsent?: boolean } = {}) {
    super(detail)
    this.waitMs = waitMs
    this.isAbsent = isAbsent
  }
}

/** A message of the stream: an event to write, or the field that does not fit. */
interface Reading {
  readonly id: string | undefined
  readonly event?: TakenEvent
  readonly refusedField?: string
}

/** An id of other characters cannot be sent as `Last-Event-ID`. */
const isHeaderSafe = (id: string) => /^[\x20-\x7e]{1,256}$/.test(id)

const fieldOf = (error: unknown): string => String((error instanceof AppError && error.params.field) || 'JSON')

/**
 * Reads the upstream's own stream of events, in one process of the installation. The events of a moment and the id of
 * the last one are stored in one transaction, so that a crash neither loses nor repeats any. A message that does not fit
 * is skipped and counted, because the stream would bring it again and again.
 */
export function createEventStream(parts: StreamParts) {
  const { address, databases, clock, log, lease, writes, take } = parts
  const timing = { ...defaultTiming, ...parts.timing }
  const stopping = new AbortController()
  let running: Promise<void> | undefined

  const read = ({ id, data, oversized }: SseMessage): Reading => {
    if (oversized) return { id, refusedField: 'size' }
    try {
      if (id !== undefined && !isHeaderSafe(id)) return { id: undefined, refusedField: 'id' }
      const value: unknown = JSON.parse(data)
      return { id, event: take(isObject(value) ? { id, ...value } : value) }
    } catch (error) {
      return { id, refusedField: fieldOf(error) }
    }
  }

  const commit = (readings: readonly Reading[]): Promise<void> =>
    writes.runMany(systemActor('upstream'), async many => {
      if (!(await lease.isHeld(many.db))) throw new LeaseLost()
      const known = new Map<string, boolean>()
      const refusedFields: string[] = []
      for (const { event, refusedField } of readings) {
        if (event && !known.has(event.orgId)) known.set(event.orgId, await isAnsweredFor(many.db, event.orgId))
        if (event && known.get(event.orgId)) await event.apply(many.of(event.orgId))
        else refusedFields.push(refusedField ?? 'org')
      }
      const lastId = readings.findLast(({ id }) => id !== undefined)?.id
      const refusedField = refusedFields.at(-1)
      await saveStreamPlace(many.db, address, { lastId, refused: refusedFields.length, refusedField })
    })

  /**
   * Commits one event alone, after a commit of several failed. If this fails too, the event is at fault and is skipped.
   */
  const commitAlone = async (one: Reading): Promise<void> => {
    try {
      await commit([one])
    } catch (error) {
      if (isDatabaseTrouble(error) || error instanceof LeaseLost) throw error
      log.error({ err: error, orgId: one.event?.orgId }, 'an event of the upstream could not be stored; it is skipped')
      await commit([{ id: one.id, refusedField: fieldOf(error) }])
    }
  }

  const store = async (messages: readonly SseMessage[]): Promise<void> => {
    for (let from = 0; from < messages.length; from += eventsPerWrite) {
      const readings = messages.slice(from, from + eventsPerWrite).map(read)
      for (const { refusedField } of readings)
        if (refusedField) log.warn({ field: refusedField }, 'an event of the upstream does not fit; it is skipped')
      try {
        await commit(readings)
      } catch (error) {
        if (isDatabaseTrouble(error) || error instanceof LeaseLost) throw error
        for (const one of readings) await commitAlone(one)
      }
    }
  }

  const connect = async (signal: AbortSignal): Promise<ReadableStream<Uint8Array>> => {
    const lastId = (await findStream(databases.read, address))?.lastId
    const response = await parts.open(
      { accept: 'text/event-stream', 'accept-encoding': 'identity', ...(lastId ? { 'last-event-id': lastId } : {}) },
      signal,
    )
    const { status, headers, body } = response
    if (status === 200 && body && /^text\/event-stream\b/i.test(headers.get('content-type') ?? '')) return body
    await body?.cancel().catch(() => undefined)
    if (status === 200) throw new StreamEnd('content-type')
    const seconds = retryAfterIn(headers, clock.now())
    throw new StreamEnd(String(status), {
      isAbsent: [204, 404, 405, 501].includes(status),
      waitMs: seconds && seconds * 1000,
    })
  }

  const setState = async (state: StreamState, detail: string | null): Promise<void> => {
    if (await lease.isHeld(databases.read))
      await saveStreamState(databases.write, address, { state, detail, changed_at: isoNow(clock) })
  }

  /** Reads until the stream ends, which is always thrown. */
  const follow = async (): Promise<never> => {
    const idle = new AbortController()
    const signal = AbortSignal.any([stopping.signal, idle.signal])
    let deadline: NodeJS.Timeout | undefined
    const listen = () => {
      clearTimeout(deadline)
      deadline = setTimeout(() => idle.abort(), timing.idleTimeoutMs).unref()
    }
    try {
      listen()
      const body = await connect(signal)
      await setState('open', null)
      const parser = createSseParser({ maxChars: maxEventBytes })
      for await (const chunk of body) {
        // The time that our own database takes is not the upstream's.
        clearTimeout(deadline)
        await store(parser.push(chunk))
        listen()
      }
      throw new StreamEnd('ended')
    } catch (error) {
      throw idle.signal.aborted ? new StreamEnd('timeout') : error
    } finally {
      clearTimeout(deadline)
    }
  }

  const pause = (ms: number) => wait(ms, undefined, { signal: stopping.signal, ref: false }).catch(() => undefined)

  const loop = async () => {
    let gapMs = timing.firstGapMs
    while (!stopping.signal.aborted) {
      const began = monotonicMs()
      try {
        if (await lease.take()) await follow()
        await pause(leaseRetryMs)
      } catch (error) {
        if (stopping.signal.aborted || error instanceof LeaseLost) continue
        if (isDatabaseTrouble(error)) {
          log.error({ err: error }, 'events of the upstream wait for the database')
          await pause(leaseRetryMs)
          continue
        }
        const end = error instanceof StreamEnd ? error : new StreamEnd('unreachable')
        log.warn({ reason: end.message, ...(end === error ? {} : { err: error }) }, 'the stream of the upstream ended')
        await setState(end.isAbsent ? 'absent' : 'waiting', end.message).catch(() => undefined)
        if (monotonicMs() - began > steadyMs) gapMs = timing.firstGapMs
        await pause(Math.max(end.isAbsent ? absentRetryMs : gapMs / 2 + randomInt(gapMs / 2), end.waitMs ?? 0))
        gapMs = Math.min(gapMs * 2, timing.maxGapMs)
      }
    }
  }

  return {
    start(): void {
      running ??= loop()
    },
    async stop(): Promise<void> {
      stopping.abort()
      await running
    },
  }
}
