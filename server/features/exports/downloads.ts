import { Readable } from 'node:stream'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { monotonicMs } from '#server/platform/time/clock.ts'
import { exportErrors } from './errors.ts'

interface DownloadParts {
  readonly log: Log
  /** For tests. @see longestStallMs */
  readonly stallMs?: number
  /** For tests. @see lowestBytesPerSecond */
  readonly bytesPerSecond?: number
}

/** A download from which nothing was read for this time was abandoned. Its connection may stay open forever. */
const longestStallMs = 2 * 60_000
/** A slower reader counts as gone, because it would hold the only download of its owner for days. */
const lowestBytesPerSecond = 32 * 1024

/** Files that are made while they are downloaded, one at a time for each owner. */
export function createDownloads({ log, stallMs: stall = longestStallMs, bytesPerSecond }: DownloadParts) {
  const bytesPerMs = (bytesPerSecond ?? lowestBytesPerSecond) / 1000
  const underWay = new Set<string>()

  return {
    isUnderWay: (owner: string): boolean => underWay.has(owner),

    /** The file as a stream. Aborts when it is no longer read. @throws EXPORTS_UNDER_WAY */
    open(owner: string, orgId: string, pieces: AsyncIterable<Uint8Array>): Readable {
      if (underWay.has(owner)) throw exportErrors.UNDER_WAY()
      underWay.add(owner)
      /** It has been waiting for the reader since this time. Undefined: it does not wait. */
      let waitsSince: number | undefined
      /** Earlier waiting time, and the bytes read meanwhile. */
      let waitedMs = 0
      let readBytes = 0
      const taken = async function* () {
        for await (const piece of pieces) {
          waitsSince = monotonicMs()
          yield piece
          waitedMs += monotonicMs() - waitsSince
          readBytes += piece.length
          waitsSince = undefined
        }
        waitsSince = monotonicMs()
      }
      const file = Readable.from(taken(), { objectMode: false })
      file.once('error', error => log.error({ err: errorFacts(error), orgId }, 'an export broke off'))
      const isAbandoned = () => {
        if (waitsSince === undefined) return false
        const waitsMs = monotonicMs() - waitsSince
        return waitsMs > stall || waitedMs + waitsMs > stall + readBytes / bytesPerMs
      }
      const checks = setInterval(() => {
        if (isAbandoned()) file.destroy(new Error('the export is no longer read'))
      }, stall / 4).unref()
      file.once('close', () => {
        clearInterval(checks)
        underWay.delete(owner)
      })
      return file
    },
  }
}

export type Downloads = ReturnType<typeof createDownloads>
