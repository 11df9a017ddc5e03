import type { Language } from '#shared/kernel/language.ts'
import type { Capability, OrgRole } from '#shared/kernel/permissions.ts'
import type { Scope } from '#shared/kernel/scope.ts'

/** A signed-in person, outside any organization. */
export interface Person {
  readonly kind: 'person'
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly image: string | null
  /** Appended to what they write to customers; absent: none. */
  readonly signature?: string
  readonly siteRole: string
  readonly sessionId: string
  /** Id of the site administrator who impersonates this person; absent: not impersonated. */
  readonly impersonatedBy?: string
  /** The session's active organization; null: none chosen yet. */
  readonly activeOrgId: string | null
  readonly language: Language
  /** The identity provider that made the session; absent: none. */
  readonly ssoProviderId?: string
  /**
   * The only organization that the session opens, because its identity provider made the session. Absent: the person
   * signed in themself.
   */
  readonly boundOrgId?: string
  /** The sign-in lacks its second step; only calls that finish it are allowed. */
  readonly secondFactorMissing?: true
}

/** The facts of every actor in an organization. Code below the routes takes `orgId` from here. */
interface InOrganization {
  readonly orgId: string
  readonly orgSlug: string
  readonly orgName: string
  readonly role: OrgRole
  readonly scope: Scope
  readonly language: Language
}

/** A person acting in one organization. */
export interface Member extends Person, InOrganization {
  /** The organization demands single sign-on, which this session lacks; only calls that lead there are allowed. */
  readonly ssoMissing?: true
  /** The organization demands a second factor, which this member lacks; nothing is allowed until it is set up. */
  readonly secondFactorDemanded?: true
}

/** A program acting with an API key. */
export interface KeyHolder extends InOrganization {
  readonly kind: 'key'
  readonly keyId: string
  readonly name: string
  /** The capabilities that the key was made for. Null: those of its creator's role. */
  readonly capabilities: readonly Capability[] | null
  /** The creator, whose role is `role`. */
  readonly creatorId: string
}

/** A flow that acts by itself. */
interface Bot extends InOrganization {
  readonly kind: 'bot'
  readonly flowId: string
  readonly name: string
}

/** A part of this product that works by itself. */
interface SystemPart {
  readonly kind: 'system'
  readonly part: string
}

export type Principal = Member | KeyHolder | Bot | SystemPart

/** A caller from outside, in one organization. */
export type OrgCaller = Member | KeyHolder

/** The id that rows store for a caller. */
export const callerId = (caller: Pick<KeyHolder, 'kind' | 'keyId'> | Pick<Member, 'kind' | 'userId'>): string =>
  caller.kind === 'key' ? caller.keyId : caller.userId

type SendingCallerFacts = 'kind' | 'name' | 'orgId' | 'scope'
/** The facts about a caller that sending a message needs, also for a caller of an earlier request. */
export type SendingCaller = Pick<Member, SendingCallerFacts | 'userId'> | Pick<KeyHolder, SendingCallerFacts | 'keyId'>

/** An anonymous caller with a language. */
export interface Visitor {
  readonly language: Language
}
