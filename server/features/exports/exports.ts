import type { Readable } from 'node:stream'
import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { Member, Person } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import type { orgExportApi } from '#shared/exports/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { createContents, Wanted } from './contents.ts'
import type { Downloads } from './downloads.ts'
import { exportErrors } from './errors.ts'
import { countContents } from './store.ts'
import { createTickets } from './tickets.ts'
import { zip } from './zip.ts'

interface ExportParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly vault: Vault
  readonly downloads: Downloads
  readonly contents: ReturnType<typeof createContents>
}

export const exportPath = '/api/organization/export/file'

/**
 * An organization's data as one archive, made while it is downloaded, so that no copy remains. A call prepares it and
 * is audited; only the same person can download it. An organization has one at a time, because it reads everything.
 */
export function createExports({ databases, clock, vault, downloads, contents }: ExportParts) {
  const tickets = createTickets({ clock, vault, place: 'organization export' })

  const service: ServiceOf<typeof orgExportApi, Member> = {
    /** @throws EXPORTS_NOT_WHILE_IMPERSONATING, EXPORTS_UNDER_WAY */
    async prepare(caller) {
      const ticket = tickets.issue(caller, {})
      if (downloads.isUnderWay(caller.orgId)) throw exportErrors.UNDER_WAY()
      return { url: `${exportPath}?ticket=${ticket}`, ...(await countContents(databases.read, caller.orgId)) }
    },
  }

  return {
    service,

    /** The organization of a ticket, if this person may use it. @throws EXPORTS_TICKET_INVALID */
    orgOfTicket: (encrypted: string, person: Person): string => tickets.open(encrypted, person).orgId,

    /** The archive as a stream. Aborts when it is no longer read. @throws EXPORTS_UNDER_WAY */
    open: (wanted: Wanted): Readable => downloads.open(wanted.orgId, wanted.orgId, zip(contents(wanted))),
  }
}

export type Exports = ReturnType<typeof createExports>
