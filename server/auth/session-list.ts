import type { ServiceOf } from '#shared/contract.ts'
import { mostSessions, type sessionsApi } from '#shared/sessions.ts'
import type { Person } from '../actor.ts'
import type { Clock } from '../clock.ts'
import { type Databases, inTransaction } from '../db.ts'
import type { AccessLog } from './access-log.ts'
import type { Streams } from './account-calls.ts'
import { authErrors } from './errors.ts'
import { deleteSession, listSessionsOf } from './store.ts'
import { deviceOf } from './user-agent.ts'

interface SessionListParts extends AccessLog {
  readonly databases: Databases
  readonly clock: Clock
  readonly streams: Streams
}

/** Where a person is signed in, and how to end it there. All others, and all, are ended by better-auth's calls. */
export const createSessionList = ({
  databases,
  clock,
  streams,
  onAccess,
}: SessionListParts): ServiceOf<typeof sessionsApi, Person> => ({
  async listSessions({ userId, sessionId }) {
    const rows = await listSessionsOf(databases.read, userId, { now: clock.now().toISOString(), limit: mostSessions })
    const items = rows.map(row => ({
      id: row.id,
      ...deviceOf(row.userAgent),
      address: row.ipAddress || null,
      signedInAt: row.createdAt,
      lastUsedAt: row.updatedAt,
      isCurrent: row.id === sessionId,
      isBorrowed: row.impersonatedBy !== null,
      isHalfDone: row.halfSignedInBy !== null,
    }))
    return { items: items.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent)) }
  },

  /** @throws AUTH_SESSION_NOT_FOUND, for another person's as for none. */
  async endSession({ userId, sessionId, impersonatedBy }, { params }) {
    if (impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
    await inTransaction(databases, async trx => {
      await onAccess?.(trx, { userId, sessionId, action: 'sessionEnded' })
      // What is not there takes the entry back with it.
      if (!(await deleteSession(trx, userId, params.id))) throw authErrors.SESSION_NOT_FOUND()
    })
    streams.dropUser(userId, params.id)
    return { success: true }
  },
})
