import type { Language } from '#shared/kernel/language.ts'
import type { Capability, OrgRole } from '#shared/kernel/permissions.ts'
import type { Scope } from '#shared/kernel/scope.ts'

/** A signed-in person, in no organization in particular. */
export interface Person {
  readonly kind: 'person'
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly image: string | null
  /** Below what they write to customers; absent: nothing. */
  readonly signature?: string
  readonly siteRole: string
  readonly sessionId: string
  /** Id of the site administrator who acts as this person; absent: they act themselves. */
  readonly impersonatedBy?: string
  /** The session's active organization; null: none chosen yet. */
  readonly activeOrgId: string | null
  readonly language: Language
  /** The identity provider by which the session was made; absent: by none. */
  readonly ssoProviderId?: string
  /**
   * The only organization that the session opens, as that one's identity provider made it. Absent: the person signed in
   * themself, and it opens all of theirs.
   */
  readonly boundOrgId?: string
  /** The sign-in is half done: only the calls that finish it are open. */
  readonly secondFactorMissing?: true
}

/** What everybody who acts in an organization has. Everything below the routes takes `orgId` from here. */
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
  /** A member, but not by the single sign-on that the organization demands: only the calls that lead there are open. */
  readonly ssoMissing?: true
  /** A member without the second factor that the organization demands: nothing of it is open until it is set up. */
  readonly secondFactorDemanded?: true
}

/** A program acting with an API key. */
export interface KeyHolder extends InOrganization {
  readonly kind: 'key'
  readonly keyId: string
  /** The key's. */
  readonly name: string
  /** What it was made for; null: whatever the role of its creator allows. */
  readonly capabilities: readonly Capability[] | null
  /** Whose role `role` is. */
  readonly creatorId: string
}

/** A flow acting by itself. */
export interface Bot extends InOrganization {
  readonly kind: 'bot'
  readonly flowId: string
  readonly name: string
}

/** A part of this product that works by itself. */
export interface SystemPart {
  readonly kind: 'system'
  readonly part: string
}

/** Who acts. */
export type Principal = Member | KeyHolder | Bot | SystemPart

/** Who calls from outside, inside one organization. */
export type OrgCaller = Member | KeyHolder

/** The id under which rows remember a caller. */
export const callerId = (caller: Pick<KeyHolder, 'kind' | 'keyId'> | Pick<Member, 'kind' | 'userId'>): string =>
  caller.kind === 'key' ? caller.keyId : caller.userId

type SenderFacts = 'kind' | 'name' | 'orgId' | 'scope'
/** As much of a caller as a message needs, also of one who asked for it earlier. */
export type Sender = Pick<Member, SenderFacts | 'userId'> | Pick<KeyHolder, SenderFacts | 'keyId'>

/** Nobody in particular, but with a language. */
export interface Visitor {
  readonly language: Language
}
