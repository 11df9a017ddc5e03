import type { AuthCall } from '#server/identity/auth/calls/call.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { OrgCaller, Person } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { CallOrigin, ChangeRecorder } from '#server/platform/http/http.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { type AccessAction, type AuditAction, auditKeptDays, kindOfAction } from '#shared/audit/api.ts'
import type { Language } from '#shared/kernel/language.ts'
import { siteEntriesPerPage } from '#shared/site/api.ts'
import { createAccountAudit } from './account-audit.ts'
import { deleteSiteEntriesBefore, listSiteEntries } from './account-store.ts'
import { auditedAuthCalls, auditedCalls, auditedExports } from './calls.ts'
import { changesBetween } from './changes.ts'
import { createAuditService, presentSiteEntry } from './service.ts'
import type { AuditedState, AuditInput } from './state.ts'
import { findOrgOfNamed, stateReaders } from './state-store.ts'
import { deleteBegunEntry, deleteEntriesBefore, finishEntry, insertEntry } from './store.ts'

interface AuditParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  ids(): string
  translate(language: Language, key: string): string
}

/** Actions on an organization. */
type OrgAction = Exclude<AuditAction, AccessAction>

interface AuditedCall extends AuditInput {
  readonly action: OrgAction
  readonly actor: OrgCaller | Person
  readonly origin: CallOrigin
}

const prunedAtOnce = 500
const keptMs = auditKeptDays * 86_400_000
const deviceMaxChars = 512
/** Actions that make a new object. An earlier one with the same name is another object. */
const makesNew: ReadonlySet<AuditAction> = new Set([
  'organizationCreated',
  'teamCreated',
  'keyCreated',
  'ssoCreated',
  'bulkCreated',
  'bulkTested',
  'contactsImported',
  'conversationsExported',
])
/** The actor is no member yet. */
const byInvitation: ReadonlySet<AuditAction> = new Set(['invitationAccepted', 'invitationRejected'])

/** A refused call changed nothing. Other failures may have. */
const isRefusal = (error: unknown): boolean => error instanceof AppError && error.status < 500

const idIn = (answer: unknown): object =>
  typeof answer === 'object' && answer !== null && 'id' in answer ? { id: answer.id } : {}

/**
 * Records who changed what in an organization. An entry is written before the change and finished after it, and deleted
 * only if the change was refused. So no change is without an entry, even after a crash.
 */
export function createAudit(parts: AuditParts) {
  const { databases, clock, log, ids } = parts
  const accounts = createAccountAudit(parts)

  const begin = (acting: AuditedCall): Promise<{ id: string; before: AuditedState }> =>
    inTransaction(databases, async trx => {
      const { orgId, action, actor, origin } = acting
      const before = makesNew.has(action) ? undefined : await stateReaders[action](trx, acting)
      const isPerson = actor.kind === 'person'
      const actorId = isPerson ? actor.userId : actor.keyId
      const id = ids()
      await insertEntry(trx, orgId, {
        id,
        at: isoNow(clock),
        kind: kindOfAction(action),
        action,
        actor_id: actorId,
        actor: JSON.stringify({
          kind: actor.kind,
          id: actorId,
          name: actor.name,
          ...(isPerson && actor.impersonatedBy ? { impersonatedBy: actor.impersonatedBy } : {}),
        }),
        address: origin.address || null,
        device: origin.device?.slice(0, deviceMaxChars) ?? null,
        subject: before?.subject ?? null,
        changes: null,
        is_done: 0,
      })
      return { id, before }
    })

  const finish = async (acting: AuditedCall, { id, before }: { id: string; before: AuditedState }, answer: unknown) => {
    try {
      await inTransaction(databases, async trx => {
        const given = { ...idIn(answer), ...acting.given }
        const after = await stateReaders[acting.action](trx, { ...acting, given })
        const changes = changesBetween(before, after)
        await finishEntry(trx, acting.orgId, id, {
          subject: (before ?? after)?.subject ?? null,
          changes: changes.length ? JSON.stringify(changes) : null,
        })
      })
    } catch (error) {
      // The change is made and answered. Its entry stays as begun.
      log.error({ err: errorFacts(error), orgId: acting.orgId, action: acting.action }, 'an audit entry is unfinished')
    }
  }

  const around = async <T>(
    acting: AuditedCall,
    work: () => Promise<T>,
    wasRefused: (answer: T) => boolean,
  ): Promise<T> => {
    const begun = await begin(acting)
    const undo = () => inTransaction(databases, trx => deleteBegunEntry(trx, acting.orgId, begun.id))
    let answer: T
    try {
      answer = await work()
    } catch (error) {
      if (isRefusal(error)) await undo()
      throw error
    }
    if (wasRefused(answer)) await undo()
    else await finish(acting, begun, answer)
    return answer
  }

  const aroundCall: ChangeRecorder['aroundCall'] = ({ name, caller, origin, given }, work) => {
    const action = (auditedCalls as Readonly<Record<string, OrgAction | null>>)[name] ?? auditedExports[name]
    if (!action) return work()
    const userId = caller.kind === 'person' ? caller.userId : undefined
    return around({ orgId: caller.orgId, userId, given, action, actor: caller, origin }, work, () => false)
  }

  const orgOf = async (call: AuthCall, action: OrgAction, given: AuditInput['given']) => {
    const named = await findOrgOfNamed(databases.read, given)
    if (byInvitation.has(action)) return named
    const said = typeof given.organizationId === 'string' ? given.organizationId : undefined
    const header = call.path.startsWith('/organization/') ? undefined : call.organization
    const org = named ?? said ?? header ?? call.person?.activeOrgId
    return org ? (await call.member(org))?.orgId : undefined
  }

  /** There is nothing to write it into before; an organization without the entry is one whose process died in between. */
  const afterCreation = async (
    made: Pick<AuditedCall, 'actor' | 'origin' | 'action'>,
    work: () => Promise<Response>,
  ) => {
    const answer = await work()
    const { id } = (await answer.clone().json()) as { id?: unknown }
    if (answer.status >= 400 || typeof id !== 'string') return answer
    const acting = { ...made, orgId: id, userId: undefined, given: {} }
    try {
      await finish(acting, await begin(acting), undefined)
    } catch (error) {
      log.error({ err: errorFacts(error), orgId: id }, 'audit entry could not be written')
    }
    return answer
  }

  const aroundAuthCall = async (call: AuthCall, work: () => Promise<Response>): Promise<Response> => {
    if (call.path.startsWith('/admin/') || call.path === '/sign-out') return accounts.aroundSiteCall(call, work)
    const action = (auditedAuthCalls as Readonly<Record<string, OrgAction | null>>)[call.path]
    const { person } = call
    if (!action || !person) return work()
    const origin = { address: call.ip, device: call.headers.get('user-agent') ?? undefined }
    if (action === 'organizationCreated') return afterCreation({ actor: person, origin, action }, work)
    const given = { ...call.body, ...(typeof call.body.data === 'object' ? call.body.data : {}) }
    const orgId = await orgOf(call, action, given)
    // Others are refused.
    if (orgId === undefined) return work()
    const acting = { orgId, userId: person.userId, given, action, actor: person, origin }
    return around(acting, work, answer => answer.status >= 400 && answer.status < 500)
  }

  return {
    aroundCall,
    aroundAuthCall,
    recordAccess: accounts.recordAccess,
    recordJoining: accounts.recordJoining,
    recordProgram: accounts.recordProgram,
    recordSiteAct: accounts.recordSiteAct,
    service: createAuditService(parts),
    /** Lists actions of site administrators on accounts, newest first. */
    async listSiteEntries(before: string | undefined) {
      const rows = await listSiteEntries(databases.read, { before, limit: siteEntriesPerPage + 1 })
      return {
        items: rows.slice(0, siteEntriesPerPage).map(presentSiteEntry),
        hasMore: rows.length > siteEntriesPerPage,
      }
    },
    /** Deletes entries older than the retention time. Returns how many. */
    prune: async (now: Date): Promise<number> => {
      const at = new Date(now.getTime() - keptMs).toISOString()
      let count = 0
      for (const deleteBefore of [deleteEntriesBefore, deleteSiteEntriesBefore])
        count += await inBatches(prunedAtOnce, limit => inTransaction(databases, trx => deleteBefore(trx, at, limit)))
      return count
    },
  }
}
