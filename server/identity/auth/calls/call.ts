import type { OrgCaller, Person } from '#server/platform/http/actor.ts'
import type { Language } from '#shared/kernel/language.ts'
import type { AllowedPath } from './allowed-routes.ts'

/** A request below `/api/auth`. The HTTP layer parses its body and finds its person, once. */
export interface AuthRequest {
  readonly method: 'GET' | 'POST'
  /** The path behind `/api/auth` in the address. */
  readonly path: string
  /** With its question mark; empty if there is no query. */
  readonly search: string
  readonly headers: Headers
  readonly body: unknown
  /** The peer's address, or the one named by a trusted proxy. */
  readonly ip: string
  readonly language: Language
  readonly person: Person | null
  /** Id or slug of the organization that the call names; undefined: the session's active one. */
  readonly organization?: string | undefined
  /** The person as a member of that organization (id or slug); undefined: not a member. */
  member(org: string): Promise<OrgCaller | undefined>
}

/** A request at an allowed path, with its body read. */
export interface AuthCall extends AuthRequest {
  readonly path: AllowedPath
  /** The value of the path's parameter; empty if it has none. */
  readonly parameter: string
  readonly body: Readonly<Record<string, unknown>>
}

/** Answers a call. For a path without one, better-auth answers alone. */
export type AuthAnswer = (call: AuthCall) => Promise<Response>
export type AuthAnswers = { readonly [P in AllowedPath]?: AuthAnswer }
