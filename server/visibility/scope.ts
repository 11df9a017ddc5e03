import { type OrgRole, roleCan } from '#shared/permissions.ts'

declare const granted: unique symbol

interface All {
  readonly kind: 'all'
}

interface Limited {
  readonly kind: 'limited'
  /** Conversations of contacts with one of these tags; sorted, so that who sees the same asks the same. */
  readonly tagIds: readonly string[]
  /** And those assigned to this person; null: to nobody in particular. */
  readonly assigneeId: string | null
}

/** Which conversations somebody sees. Made here only: nobody widens their own. */
export type Scope = (All | Limited) & { readonly [granted]: true }

/** For principals that see everything, and for the product's own work. Who may use it stands in `test/helpers/permits.ts`. */
export const seesAll = { kind: 'all' } as Scope

/** What somebody sees who has been granted these tags. */
export const seesSome = (tagIds: Iterable<string>, assigneeId: string | null): Scope =>
  ({ kind: 'limited', tagIds: [...new Set(tagIds)].sort(), assigneeId }) as unknown as Scope

/** Tags by role, where an organization limits its conversations to them; null: it does not. */
export type Limits = ReadonlyMap<string, readonly string[]> | null

/** Whose sight it is: a person's, or of a key the person's who made it. */
export interface Looker {
  readonly role: OrgRole
  readonly personId: string
}

/** Whoever decides about access has it. */
export const isUnlimited = (role: OrgRole): boolean => roleCan(role, 'member:manage')

export const scopeBy = (limits: Limits, { role, personId }: Looker): Scope =>
  limits === null || isUnlimited(role) ? seesAll : seesSome(limits.get(role) ?? [], personId)

/** What decides who sees a conversation. */
export interface ConversationFacts {
  readonly tagIds: ReadonlySet<string>
  readonly assigneeId: string | null
}

/** The same verdict as the condition in SQL; undefined: a conversation that is gone. */
export const sees = (scope: Scope, facts: ConversationFacts | undefined): boolean => {
  if (scope.kind === 'all') return true
  if (!facts) return false
  const isOwn = scope.assigneeId !== null && facts.assigneeId === scope.assigneeId
  return isOwn || scope.tagIds.some(tag => facts.tagIds.has(tag))
}

/** Who looks at what an organization has; every principal in one is a viewer of it. */
export interface Viewer {
  readonly orgId: string
  readonly scope: Scope
}

/** The product itself, at work for an organization: nobody sees what it reads. */
export const wholeOrganization = (orgId: string): Viewer => ({ orgId, scope: seesAll })
