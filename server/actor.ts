import type { Language } from '#shared/language.ts'
import type { OrgRole } from '#shared/permissions.ts'

/** A signed-in person, in no organization in particular. */
export interface Person {
  readonly userId: string
  readonly name: string
  readonly email: string
  readonly image: string | null
  readonly siteRole: string
  readonly sessionId: string
  /** Id of the site administrator who acts as this person; absent: they act themselves. */
  readonly impersonatedBy?: string
  /** The session's active organization; null: none chosen yet. */
  readonly activeOrgId: string | null
  readonly language: Language
}

/** A person acting in one organization. Everything below the routes takes `orgId` from here. */
export interface Member extends Person {
  readonly orgId: string
  readonly orgSlug: string
  readonly orgName: string
  readonly role: OrgRole
}

/** Nobody in particular, but with a language. */
export interface Visitor {
  readonly language: Language
}
