import { Readable } from 'node:stream'
import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Member, Person } from '#server/platform/http/actor.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { type Clock, monotonicMs } from '#server/platform/time/clock.ts'
import { exportTicketMinutes, type orgExportApi } from '#shared/exports/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { createContents, Wanted } from './contents.ts'
import { exportErrors } from './errors.ts'
import { countContents } from './store.ts'
import { zip } from './zip.ts'

interface ExportParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  readonly vault: Vault
  readonly contents: ReturnType<typeof createContents>
  /** Tests shorten it. @see longestStallMs */
  readonly stallMs?: number
  /** Tests raise it. @see lowestBytesPerSecond */
  readonly bytesPerSecond?: number
}

interface Ticket {
  readonly orgId: string
  readonly userId: string
  readonly sessionId: string
  readonly until: number
}

/** A download of which nothing is taken for so long has been left by its reader, whose connection may stay open for ever. */
const longestStallMs = 2 * 60_000
/** A reader that is slower than a modem on average has left too: it would keep the one place for days. */
const lowestBytesPerSecond = 32 * 1024
const place = 'organization export'
const ticketMs = exportTicketMinutes * 60_000
export const exportPath = '/api/organization/export/file'

/**
 * Everything of an organization as one archive, made while it is downloaded: no copy of what customers wrote lies
 * anywhere afterwards. A download is prepared by a call, which is written down, and begun by whoever prepared it.
 */
export function createExports(parts: ExportParts) {
  const { databases, clock, log, vault, contents, stallMs: stall = longestStallMs } = parts
  const bytesPerMs = (parts.bytesPerSecond ?? lowestBytesPerSecond) / 1000
  /** Each reads all there is: one at a time of an organization. */
  const underWay = new Set<string>()

  const service: ServiceOf<typeof orgExportApi, Member> = {
    /** @throws EXPORTS_NOT_WHILE_IMPERSONATING, EXPORTS_UNDER_WAY */
    async prepare({ orgId, userId, sessionId, impersonatedBy }) {
      if (impersonatedBy) throw exportErrors.NOT_WHILE_IMPERSONATING()
      if (underWay.has(orgId)) throw exportErrors.UNDER_WAY()
      const ticket: Ticket = { orgId, userId, sessionId, until: clock.now().getTime() + ticketMs }
      const sealed = encodeURIComponent(vault.seal(JSON.stringify(ticket), place))
      return { url: `${exportPath}?ticket=${sealed}`, ...(await countContents(databases.read, orgId)) }
    },
  }

  return {
    service,

    /** The organization that a ticket opens to this person. @throws EXPORTS_TICKET_INVALID */
    orgOfTicket(sealed: string, { userId, sessionId }: Person): string {
      let ticket: Ticket
      try {
        ticket = JSON.parse(vault.open(sealed, place))
      } catch (error) {
        throw exportErrors.TICKET_INVALID({ cause: error })
      }
      const isTheirs = ticket.userId === userId && ticket.sessionId === sessionId
      if (!isTheirs || ticket.until < clock.now().getTime()) throw exportErrors.TICKET_INVALID()
      return ticket.orgId
    },

    /** The archive; breaks off when nobody reads it any more. @throws EXPORTS_UNDER_WAY */
    open(wanted: Wanted): Readable {
      const { orgId } = wanted
      if (underWay.has(orgId)) throw exportErrors.UNDER_WAY()
      underWay.add(orgId)
      /** Since when it waits for its reader; undefined: the reader waits for it. */
      let waitsSince: number | undefined
      /** How long it has waited for its reader before, and what the reader took meanwhile. */
      let waitedMs = 0
      let takenBytes = 0
      const taken = async function* () {
        for await (const piece of zip(contents(wanted))) {
          waitsSince = monotonicMs()
          yield piece
          waitedMs += monotonicMs() - waitsSince
          takenBytes += piece.length
          waitsSince = undefined
        }
        waitsSince = monotonicMs()
      }
      const archive = Readable.from(taken(), { objectMode: false })
      archive.once('error', error => log.error({ err: errorFacts(error), orgId }, 'an export broke off'))
      const isLeft = () => {
        if (waitsSince === undefined) return false
        const waitsMs = monotonicMs() - waitsSince
        return waitsMs > stall || waitedMs + waitsMs > stall + takenBytes / bytesPerMs
      }
      const leave = setInterval(() => {
        if (isLeft()) archive.destroy(new Error('nobody takes the export any more'))
      }, stall / 4).unref()
      archive.once('close', () => {
        clearInterval(leave)
        underWay.delete(orgId)
      })
      return archive
    },
  }
}

export type Exports = ReturnType<typeof createExports>
