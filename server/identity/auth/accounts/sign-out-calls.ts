import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Person } from '#server/platform/http/actor.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import type { OwnAccess } from '#shared/audit/api.ts'
import type { AuthAnswers, AuthCall } from '../calls/call.ts'
import type { Forward } from '../calls/forward.ts'
import { authErrors } from '../errors.ts'
import { deleteBoundSessions, listOtherSessionIds } from '../sessions/session-store.ts'
import type { Streams } from '../sessions/streams.ts'
import type { AccessLog } from './access-log.ts'

interface SignOutParts extends Pick<AccessLog, 'onAccess'> {
  readonly log: Log
  readonly databases: Databases
  readonly forward: Forward
  readonly streams: Streams
}

/** The calls with which people end their own sessions: this one, all, or all but this one. */
export function createSignOutCalls({ log, databases, forward, streams, onAccess }: SignOutParts): AuthAnswers {
  /** The library commits its own change, so the audit entry follows in a second transaction. */
  const writeAuditEntry = async ({ person, ip, headers }: AuthCall, action: OwnAccess) => {
    if (!person) return
    const origin = { address: ip, device: headers.get('user-agent') ?? undefined }
    try {
      await inTransaction(databases, async trx => onAccess?.(trx, { userId: person.userId, action, origin }))
    } catch (error) {
      log.error({ err: errorFacts(error), action }, 'audit entry could not be written')
    }
  }

  /** While impersonating somebody, an administrator may look around but not end that person's sessions. */
  const refuseImpersonation = ({ person }: AuthCall) => {
    if (person?.impersonatedBy) throw authErrors.NOT_WHILE_IMPERSONATING()
  }

  /** A session made by an identity provider may end only sessions made by providers of the same organization. */
  const endBound = async (call: AuthCall, { userId, boundOrgId = '' }: Person, except: string | null) => {
    for (const id of await deleteBoundSessions(databases.write, { userId, boundOrgId, except }))
      streams.dropUser(userId, id)
    await writeAuditEntry(call, except === null ? 'signedOutEverywhere' : 'signedOutElsewhere')
    return Response.json({ status: true }, { headers: { 'cache-control': 'no-store' } })
  }

  return {
    '/sign-out': async call => {
      const reply = await forward(call)
      if (call.person) streams.dropUser(call.person.userId, call.person.sessionId)
      return reply
    },
    '/revoke-sessions': async call => {
      refuseImpersonation(call)
      if (call.person?.boundOrgId !== undefined) return endBound(call, call.person, null)
      const reply = await forward(call)
      if (call.person) streams.dropUser(call.person.userId)
      await writeAuditEntry(call, 'signedOutEverywhere')
      return reply
    },

    '/revoke-other-sessions': async call => {
      const { person } = call
      refuseImpersonation(call)
      if (person?.boundOrgId !== undefined) return endBound(call, person, person.sessionId)
      const others = person ? await listOtherSessionIds(databases.read, person.userId, person.sessionId) : []
      const reply = await forward(call)
      if (person) for (const id of others) streams.dropUser(person.userId, id)
      await writeAuditEntry(call, 'signedOutElsewhere')
      return reply
    },
  }
}
