import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { maxSessions, type sessionsApi } from '#shared/auth/sessions.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { siteApi } from '#shared/site/api.ts'
import type { AccessLog, SiteAct } from '../accounts/access-log.ts'
import { hasUser } from '../accounts/account-store.ts'
import { authErrors } from '../errors.ts'
import { deleteSession, findSession, listSessionsOf } from './session-store.ts'
import type { Streams } from './streams.ts'
import { deviceOf } from './user-agent.ts'

interface SessionListParts extends AccessLog {
  readonly databases: Databases
  readonly clock: Clock
  readonly streams: Streams
}

interface SiteSessionsParts extends Omit<SessionListParts, 'onAccess'> {
  /** Writes an audit entry in the transaction of the change. */
  onSiteAct(trx: Db, act: SiteAct): Promise<void>
}

type SessionRow = Awaited<ReturnType<typeof listSessionsOf>>[number]

const present = (row: SessionRow, callersId: string) => ({
  id: row.id,
  ...deviceOf(row.userAgent),
  address: row.ipAddress || null,
  signedInAt: row.createdAt,
  lastUsedAt: row.updatedAt,
  isCurrent: row.id === callersId,
  isBorrowed: row.impersonatedBy !== null,
  isHalfDone: row.halfSignedInBy !== null,
})

/** Lets site administrators see and end the sessions of others. */
export const createSiteSessions = ({
  databases,
  clock,
  streams,
  onSiteAct,
}: SiteSessionsParts): ServiceOf<Pick<typeof siteApi, 'listSessions' | 'endSession'>, Person> => ({
  /** @throws AUTH_USER_NOT_FOUND */
  async listSessions({ sessionId }, { params }) {
    if (!(await hasUser(databases.read, params.id))) throw authErrors.USER_NOT_FOUND()
    const now = clock.now().toISOString()
    const rows = await listSessionsOf(databases.read, params.id, { now, limit: maxSessions })
    return { items: rows.map(row => present(row, sessionId)) }
  },

  /** @throws AUTH_SESSION_NOT_FOUND */
  async endSession(actor, { params }) {
    await inTransaction(databases, async trx => {
      const row = await findSession(trx, params.id, params.sessionId)
      if (!row) throw authErrors.SESSION_NOT_FOUND()
      const { browser, system } = deviceOf(row.userAgent)
      const before = [browser, system, row.ipAddress].filter(Boolean).join(', ')
      const changes = before ? [{ fact: 'device' as const, before, after: null }] : []
      await onSiteAct(trx, { action: 'sessionClosed', actor, subjectId: params.id, changes })
      await deleteSession(trx, params.id, params.sessionId)
    })
    streams.dropUser(params.id, params.sessionId)
    return { success: true }
  },
})

/** Lets a person see and end single sessions. better-auth's own calls end all, or all others. */
export const createSessionList = ({
  databases,
  clock,
  streams,
  onAccess,
}: SessionListParts): ServiceOf<typeof sessionsApi, Person> => ({
  // A session made by a provider sees and ends only sessions of the same organization's providers.
  async listSessions({ userId, sessionId, boundOrgId }) {
    const now = clock.now().toISOString()
    const rows = await listSessionsOf(databases.read, userId, { now, limit: maxSessions, boundOrgId })
    const items = rows.map(row => present(row, sessionId))
    return { items: items.toSorted((a, b) => Number(b.isCurrent) - Number(a.isCurrent)) }
  },

  /** @throws AUTH_SESSION_NOT_FOUND, also for another person's session */
  async endSession({ userId, sessionId, impersonatedBy, boundOrgId }, { params }) {
    if (impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
    await inTransaction(databases, async trx => {
      await onAccess?.(trx, { userId, sessionId, action: 'sessionEnded' })
      // Rolls the audit entry back too.
      if (!(await deleteSession(trx, userId, params.id, boundOrgId))) throw authErrors.SESSION_NOT_FOUND()
    })
    streams.dropUser(userId, params.id)
    return { success: true }
  },
})
