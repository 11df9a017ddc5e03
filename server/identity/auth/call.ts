import type { OrgCaller, Person } from '#server/platform/http/actor.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { AllowedPath } from './allowed-routes.ts'

/** What of a request the sign-in needs: its body parsed once, its person looked up once, both by whoever received it. */
export interface AuthRequest {
  readonly method: 'GET' | 'POST'
  /** What follows `/api/auth` in the address. */
  readonly path: string
  /** With its question mark; empty: none. */
  readonly search: string
  readonly headers: Headers
  readonly body: unknown
  /** The peer's address, or the one a trusted proxy names. */
  readonly ip: string
  readonly language: Language
  readonly person: Person | null
  /** Id or slug of the organization that the call names; undefined: the session's active one is meant. */
  readonly organization?: string | undefined
  /** The person in the organization with that id or slug; undefined: not a member. */
  member(org: string): Promise<OrgCaller | undefined>
}

/** The same at an address that is open, its input read. */
export interface AuthCall extends AuthRequest {
  readonly path: AllowedPath
  /** What stands in the address where the path has a parameter; else empty. */
  readonly parameter: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Answers a call; absent for an address: better-auth answers alone. */
export type AuthAnswer = (call: AuthCall) => Promise<Response>
export type AuthAnswers = { readonly [P in AllowedPath]?: AuthAnswer }
