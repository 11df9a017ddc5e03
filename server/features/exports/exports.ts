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
  /** For tests. @see longestStallMs */
  readonly stallMs?: number
  /** For tests. @see lowestBytesPerSecond */
  readonly bytesPerSecond?: number
}

interface Ticket {
  readonly orgId: string
  readonly userId: string
  readonly sessionId: string
  readonly until: number
}

/** A download from which nothing was read for this time was abandoned. Its connection may stay open forever. */
const longestStallMs = 2 * 60_000
/** A slower reader counts as gone, because it would hold the organization's only export for days. */
const lowestBytesPerSecond = 32 * 1024
const place = 'organization export'
const ticketMs = exportTicketMinutes * 60_000
export const exportPath = '/api/organization/export/file'

/**
 * An organization's data as one archive, made while it is downloaded, so that no copy remains. A call prepares it and
 * is audited; only the same person can download it.
 */
export function createExports(parts: ExportParts) {
  const { databases, clock, log, vault, contents, stallMs: stall = longestStallMs } = parts
  const bytesPerMs = (parts.bytesPerSecond ?? lowestBytesPerSecond) / 1000
  /** Organizations with a running export: one at a time, because it reads everything. */
  const underWay = new Set<string>()

  const service: ServiceOf<typeof orgExportApi, Member> = {
    /** @throws EXPORTS_NOT_WHILE_IMPERSONATING, EXPORTS_UNDER_WAY */
    async prepare({ orgId, userId, sessionId, impersonatedBy }) {
      if (impersonatedBy) throw exportErrors.NOT_WHILE_IMPERSONATING()
      if (underWay.has(orgId)) throw exportErrors.UNDER_WAY()
      const ticket: Ticket = { orgId, userId, sessionId, until: clock.now().getTime() + ticketMs }
      const encrypted = encodeURIComponent(vault.encrypt(JSON.stringify(ticket), place))
      return { url: `${exportPath}?ticket=${encrypted}`, ...(await countContents(databases.read, orgId)) }
    },
  }

  return {
    service,

    /** The organization of a ticket, if this person may use it. @throws EXPORTS_TICKET_INVALID */
    orgOfTicket(encrypted: string, { userId, sessionId }: Person): string {
      let ticket: Ticket
      try {
        ticket = JSON.parse(vault.decrypt(encrypted, place))
      } catch (error) {
        throw exportErrors.TICKET_INVALID({ cause: error })
      }
      const isTheirs = ticket.userId === userId && ticket.sessionId === sessionId
      if (!isTheirs || ticket.until < clock.now().getTime()) throw exportErrors.TICKET_INVALID()
      return ticket.orgId
    },

    /** The archive as a stream. Aborts when it is no longer read. @throws EXPORTS_UNDER_WAY */
    open(wanted: Wanted): Readable {
      const { orgId } = wanted
      if (underWay.has(orgId)) throw exportErrors.UNDER_WAY()
      underWay.add(orgId)
      /** When waiting for the reader began. Undefined: not waiting. */
      let waitsSince: number | undefined
      /** Earlier waiting time, and the bytes read meanwhile. */
      let waitedMs = 0
      let readBytes = 0
      const taken = async function* () {
        for await (const piece of zip(contents(wanted))) {
          waitsSince = monotonicMs()
          yield piece
          waitedMs += monotonicMs() - waitsSince
          readBytes += piece.length
          waitsSince = undefined
        }
        waitsSince = monotonicMs()
      }
      const archive = Readable.from(taken(), { objectMode: false })
      archive.once('error', error => log.error({ err: errorFacts(error), orgId }, 'an export broke off'))
      const isLeft = () => {
        if (waitsSince === undefined) return false
        const waitsMs = monotonicMs() - waitsSince
        return waitsMs > stall || waitedMs + waitsMs > stall + readBytes / bytesPerMs
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
