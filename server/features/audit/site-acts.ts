import type { AuthCall } from '#server/identity/auth/calls/call.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { CallOrigin } from '#server/platform/http/http.ts'
import type { AuditFact, SiteAction } from '#shared/audit/api.ts'
import { type Account, findAccount, findSessionPerson } from './account-store.ts'
import { auditedSiteCalls } from './calls.ts'
import type { Change } from './changes.ts'

/** An act of a site administrator on an account. */
export interface SiteCallAct {
  readonly action: SiteAction
  readonly actor: { readonly id: string; readonly name: string }
  /** The account. Without an id it does not exist yet. */
  readonly subject: Pick<Account, 'email'> & { readonly id?: string }
  readonly origin: CallOrigin
  readonly changes: readonly Change[]
}

const reasonMaxChars = 500
const text = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A changed fact of an entry; none if the value is empty. */
export const fact = (name: AuditFact, after: string, before: string | null = null): Change[] =>
  after ? [{ fact: name, before, after: after.slice(0, reasonMaxChars) }] : []

/** Signing out while impersonating ends the impersonation. */
const actionOf = ({ path, person }: AuthCall): SiteAction | null | undefined =>
  path === '/sign-out' && person?.impersonatedBy !== undefined
    ? 'impersonationEnded'
    : (auditedSiteCalls as Readonly<Record<string, SiteAction | null>>)[path]

/** A ban says why and until when. `banExpiresIn`: seconds. */
const changesOfBan = ({ banReason, banExpiresIn }: AuthCall['body'], nowMs: number): Change[] => {
  const seconds = typeof banExpiresIn === 'number' && banExpiresIn > 0 ? banExpiresIn : 0
  const end = nowMs + seconds * 1000
  const isTime = seconds && Number.isFinite(end) && Math.abs(end) < 8.64e15
  return [...fact('reason', text(banReason)), ...(isTime ? fact('expiresAt', new Date(end).toISOString()) : [])]
}

const changesOf = (
  action: SiteAction,
  body: AuthCall['body'],
  { subject, nowMs }: { subject: Partial<Account>; nowMs: number },
): Change[] => {
  if (action === 'siteRoleChanged') return fact('role', text(body.role), subject.role ?? 'user')
  return action === 'personBanned' ? changesOfBan(body, nowMs) : []
}

/** If the call does not name the person, its session does. */
const subjectIdOf = async (db: Db, { userId, sessionToken }: AuthCall['body']): Promise<string> =>
  typeof userId === 'string' ? userId : ((await findSessionPerson(db, text(sessionToken))) ?? '')

async function findImpersonationEnd(db: Db, call: AuthCall): Promise<SiteCallAct | undefined> {
  const { person } = call
  if (person?.impersonatedBy === undefined) return undefined
  const admin = await findAccount(db, { id: person.impersonatedBy })
  return {
    action: 'impersonationEnded',
    actor: { id: person.impersonatedBy, name: admin?.name ?? '' },
    subject: { id: person.userId, email: person.email },
    origin: originOfCall(call),
    changes: [],
  }
}

const originOfCall = ({ ip, headers }: AuthCall): CallOrigin => ({
  address: ip,
  device: headers.get('user-agent') ?? undefined,
})

/**
 * Returns the act of a site administrator that this call is; undefined: nothing that is audited, or it will be refused.
 */
export async function findSiteAct(db: Db, call: AuthCall, nowMs: number): Promise<SiteCallAct | undefined> {
  const { person, body } = call
  const action = actionOf(call)
  if (action === 'impersonationEnded') return findImpersonationEnd(db, call)
  if (!action || person?.siteRole !== 'admin') return undefined
  const subject =
    action === 'personCreated'
      ? { email: text(body.email).trim().toLowerCase() }
      : await findAccount(db, { id: await subjectIdOf(db, body) })
  if (!subject?.email) return undefined
  return {
    action,
    actor: { id: person.userId, name: person.name },
    subject,
    origin: originOfCall(call),
    changes: changesOf(action, body, { subject, nowMs }),
  }
}
