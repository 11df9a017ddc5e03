import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Member, Person } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { exportTicketMinutes } from '#shared/exports/api.ts'
import { exportErrors } from './errors.ts'

interface TicketParts {
  readonly clock: Clock
  readonly vault: Vault
  /** The purpose of the tickets. A ticket for another purpose is refused. */
  readonly context: string
}

interface Holder {
  readonly orgId: string
  readonly userId: string
  readonly sessionId: string
  readonly until: number
}

const ticketMs = exportTicketMinutes * 60_000

/** Encrypted permissions to download something. Only the person whose call got one can use it, in the same session. */
export function createTickets<Wanted extends object>({ clock, vault, context }: TicketParts) {
  return {
    /** Returns a ticket for an address. @throws EXPORTS_NOT_WHILE_IMPERSONATING */
    issue({ orgId, userId, sessionId, impersonatedBy }: Member, wanted: Wanted): string {
      if (impersonatedBy) throw exportErrors.NOT_WHILE_IMPERSONATING()
      const ticket: Wanted & Holder = { ...wanted, orgId, userId, sessionId, until: clock.now().getTime() + ticketMs }
      return encodeURIComponent(vault.encrypt(JSON.stringify(ticket), context))
    },

    /** @throws EXPORTS_TICKET_INVALID */
    open(encrypted: string, { userId, sessionId }: Person): Wanted & { readonly orgId: string } {
      let ticket: Wanted & Holder
      try {
        ticket = JSON.parse(vault.decrypt(encrypted, context))
      } catch (error) {
        throw exportErrors.TICKET_INVALID({ cause: error })
      }
      const isTheirs = ticket.userId === userId && ticket.sessionId === sessionId
      if (!isTheirs || ticket.until < clock.now().getTime()) throw exportErrors.TICKET_INVALID()
      return ticket
    },
  }
}
