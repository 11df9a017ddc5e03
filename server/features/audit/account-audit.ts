import type { AccessChange, Joining, ProgramChange, SiteAct } from '#server/identity/auth/accounts/access-log.ts'
import type { AuthCall } from '#server/identity/auth/calls/call.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { AppError } from '#server/platform/http/errors.ts'
import type { CallOrigin } from '#server/platform/http/http.ts'
import type { Log } from '#server/platform/log/log.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { type AuditAction, kindOfAction, type SiteAction } from '#shared/audit/api.ts'
import {
  deleteBegunEntries,
  findAccount,
  findSessionOrigin,
  findTeamName,
  finishEntries,
  insertEntriesOf,
  insertSiteEntry,
  listOrgsOfAccount,
} from './account-store.ts'
import type { Change } from './changes.ts'
import { fact, findSiteAct, type SiteCallAct } from './site-acts.ts'

interface AccountAuditParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly log: Log
  ids(): string
}

/** The content of an entry, before it is a row of an organization's log or of the site's. */
interface Recorded {
  readonly action: string
  readonly actor: { readonly kind: string; readonly id: string; readonly name: string }
  readonly origin: CallOrigin
  readonly changes?: readonly Change[]
}

const deviceMaxChars = 512
const originOf = (session: Awaited<ReturnType<typeof findSessionOrigin>>): CallOrigin => ({
  address: session?.ipAddress ?? '',
  device: session?.userAgent ?? undefined,
})
const isOfOrganizations = (action: SiteAction): action is Extract<SiteAction, AuditAction> =>
  action !== 'personCreated' && action !== 'siteRoleChanged'

/**
 * Audit entries about accounts: in the site's log, and in that of each organization the person is in, because it must
 * know who had access or was shut out.
 */
export function createAccountAudit({ databases, clock, log, ids }: AccountAuditParts) {
  const entryOf = ({ action, actor, origin, changes = [] }: Recorded) => ({
    id: ids(),
    at: isoNow(clock),
    action,
    actor_id: actor.id,
    actor: JSON.stringify(actor),
    address: origin.address || null,
    device: origin.device?.slice(0, deviceMaxChars) ?? null,
    changes: changes.length ? JSON.stringify(changes) : null,
  })
  const insertDone = (
    trx: Db,
    orgIds: readonly string[],
    { subject, ...recorded }: Recorded & { readonly action: AuditAction; readonly subject: string | null },
  ): Promise<void> => {
    const kind = kindOfAction(recorded.action)
    return insertEntriesOf(
      trx,
      orgIds.map(org_id => ({ ...entryOf(recorded), org_id, kind, subject, is_done: 1 })),
    )
  }

  const begin = async (trx: Db, { action, actor, subject, origin, changes }: SiteCallAct): Promise<string[]> => {
    const recorded = { action, actor: { kind: 'person', ...actor }, origin, changes }
    const begun = () => ({ ...entryOf(recorded), subject: subject.email, is_done: 0 })
    const orgIds = isOfOrganizations(action) && subject.id !== undefined ? await listOrgsOfAccount(trx, subject.id) : []
    const rows = orgIds.map(org_id => ({ ...begun(), org_id, kind: kindOfAction(action as AuditAction) }))
    const site = begun()
    await insertEntriesOf(trx, rows)
    await insertSiteEntry(trx, site)
    return [site.id, ...rows.map(({ id }) => id)]
  }

  return {
    /** A person signed in or changed how they sign in: recorded in each of their organizations. */
    async recordAccess(trx: Db, { userId, action, sessionId, origin }: AccessChange): Promise<void> {
      const orgIds = await listOrgsOfAccount(trx, userId)
      const account = orgIds.length ? await findAccount(trx, { id: userId }) : undefined
      if (!account) return
      const session = sessionId === undefined ? undefined : await findSessionOrigin(trx, sessionId)
      const ofSession = originOf(session)
      await insertDone(trx, orgIds, {
        action,
        actor: { kind: 'person', id: userId, name: account.name },
        origin: { address: origin?.address || ofSession.address, device: origin?.device ?? ofSession.device },
        subject: null,
      })
    },

    /** A person from an identity provider became a member: recorded in that organization. */
    async recordJoining(trx: Db, { userId, sessionId, orgId, role, teamId }: Joining): Promise<void> {
      const account = await findAccount(trx, { id: userId })
      if (!account) return
      const session = await findSessionOrigin(trx, sessionId)
      const team = teamId === null ? undefined : await findTeamName(trx, orgId, teamId)
      await insertDone(trx, [orgId], {
        action: 'joinedBySso',
        actor: { kind: 'person', id: userId, name: account.name },
        origin: originOf(session),
        subject: account.email,
        changes: [...fact('role', role), ...fact('team', team ?? '')],
      })
    },

    /** A program was connected or disconnected: recorded in that organization. */
    async recordProgram(trx: Db, { orgId, action, actor, sessionId, name, scopes }: ProgramChange): Promise<void> {
      const session = sessionId === undefined ? undefined : await findSessionOrigin(trx, sessionId)
      await insertDone(trx, [orgId], {
        action,
        actor,
        origin: originOf(session),
        subject: name,
        changes: fact('scopes', scopes?.join(', ') ?? ''),
      })
    },

    /** A site administrator changed an account, in the same transaction. */
    async recordSiteAct(trx: Db, { action, actor, subjectId, changes }: SiteAct): Promise<void> {
      const subject = await findAccount(trx, { id: subjectId })
      if (!subject) return
      const origin = originOf(await findSessionOrigin(trx, actor.sessionId))
      const { userId: id, name } = actor
      await finishEntries(trx, await begin(trx, { action, actor: { id, name }, subject, origin, changes }))
    },

    /**
     * Wraps a site administrator's call: the entry is begun before it, finished after it, and deleted if it was
     * refused.
     */
    async aroundSiteCall(call: AuthCall, work: () => Promise<Response>): Promise<Response> {
      const act = await findSiteAct(databases.read, call, clock.now().getTime())
      if (!act) return work()
      const begun = await inTransaction(databases, trx => begin(trx, act))
      let answer: Response
      try {
        answer = await work()
      } catch (error) {
        if (error instanceof AppError && error.status < 500)
          await inTransaction(databases, trx => deleteBegunEntries(trx, begun))
        throw error
      }
      try {
        await inTransaction(databases, trx => finishEntries(trx, begun))
      } catch (error) {
        // The change is made and answered. Its entries stay as begun.
        log.error({ err: errorFacts(error), action: act.action }, 'an audit entry is unfinished')
      }
      return answer
    },
  }
}
