import type { Static, TSchema } from 'typebox'
import type { Capability } from './permissions.ts'

/**
 * Who may call an endpoint: `anyone`; a signed-in `person` (no organization needed); a `member` of the
 * organization whatever the role; or a member whose role has the capability.
 */
export type Access = 'anyone' | 'person' | 'member' | Capability

/**
 * What the service of a remembered answer knows of its caller. `organization`: the same for all of it, so nothing that
 * depends on who may see what can be in it; `scope`: the same for all who see the same conversations; `member`: one
 * person's.
 */
export const callerFacts = {
  organization: ['orgId', 'language'],
  scope: ['orgId', 'scope', 'language'],
  member: ['orgId', 'userId', 'role', 'scope', 'language'],
} as const
export type SameFor = keyof typeof callerFacts

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface EndpointShape {
  readonly method: Method
  /** Below `/api`, Fastify's syntax for parameters: `/whatsapp/chats/:phone`. */
  readonly path: string
  readonly access: Access
  /** One sentence for the API page. */
  readonly summary: string
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  readonly reply: TSchema
  /** Status of success; 200 unless said. */
  readonly status?: number
  /** Refusals beyond those that access, parameters and body bring by themselves; for the API page. */
  readonly refuses?: readonly (404 | 409 | 416 | 422 | 502 | 503)[]
  /** True: an `idempotency-key` header makes a repeated call return the first answer for 24 h. */
  readonly idempotent?: boolean
  /**
   * Declares that the answer depends on nothing but the database, the input, the language and whose it is: never on the
   * clock, chance or memory. The service is told no more of its caller than `callerFacts`, and over HTTP the answer is
   * remembered until the next commit. For reads of members only.
   */
  readonly sameFor?: SameFor
  /** Fields of the query with which the answer does depend on the clock: then it is not remembered. */
  readonly exceptWith?: readonly string[]
  /** What it answers or changes is a person's own: an API key is refused. Implied by the access `person`. */
  readonly peopleOnly?: true
  /** It shows or changes what belongs to any conversation: whoever sees only some of them is refused. */
  readonly wholeInbox?: true
  /** Open to those whose sign-in is half done, because this call finishes it. */
  readonly finishes?: 'secondFactor' | 'sso'
  /** What its schemas cannot tell of a call that makes sense, for the API page. */
  readonly example?: { readonly query?: object; readonly body?: object }
  /** For administrators of the site alone; the access is `person`. */
  readonly siteAdmin?: true
  /** Largest body in bytes; the app's limit unless said. */
  readonly bodyLimit?: number
  /** Its body may also be a form (`multipart/form-data`), whose part `file` has at most so many bytes. */
  readonly fileLimit?: number
  /** Most JSON values in a body; the app's limit unless said. */
  readonly bodyValues?: number
}

/** Declares an endpoint once for validation, serialization, the API page and both clients. */
export const endpoint = <const E extends EndpointShape>(shape: E): E => shape

type Part<E extends EndpointShape, K extends 'params' | 'query' | 'body'> = E[K] extends TSchema
  ? { [P in K]: Static<E[K]> }
  : unknown

/** The file that came with a form: on disk, and nobody's yet. */
export interface ReceivedFile {
  readonly id: string
  readonly path: string
  readonly size: number
  /** Lowercase hex. */
  readonly sha256: string
  /** Its first bytes. */
  readonly head: Uint8Array
  /** The type they say it is; undefined: text, or nothing that is known. */
  readonly found: string | undefined
  /** Sides of a picture that browsers show. */
  readonly picture?: { readonly width: number; readonly height: number }
  /** As the sender's program calls it; null: it does not. */
  readonly name: string | null
  /** What the sender's program says it is; empty: nothing. */
  readonly mime: string
}

/** What a caller passes: `{ params, query, body }`, each only where the endpoint declares it. */
export type InputOf<E extends EndpointShape> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>
export type ReplyOf<E extends EndpointShape> = Static<E['reply']>

export type EndpointMap = Readonly<Record<string, EndpointShape>>

export type ClientOf<M extends EndpointMap> = {
  readonly [K in keyof M]: (input: InputOf<M[K]>) => Promise<ReplyOf<M[K]>>
}

/** Who an endpoint answers, of those the service says it answers. */
type Admitted<E extends EndpointShape, Caller> = E extends { readonly peopleOnly: true } | { readonly access: 'person' }
  ? Exclude<Caller, { readonly kind: 'key' }>
  : Caller

type Facts<S extends SameFor, Caller> = Pick<Caller, Extract<(typeof callerFacts)[S][number], keyof Caller>>

type NarrowedCaller<E extends EndpointShape, Caller> = E extends { readonly sameFor: infer S extends SameFor }
  ? Facts<S, Admitted<E, Caller>>
  : Admitted<E, Caller>

/** The service behind a room's endpoints: same names, the caller first. */
export type ServiceOf<M extends EndpointMap, Caller> = {
  readonly [K in keyof M]: (
    caller: NarrowedCaller<M[K], Caller>,
    input: InputOf<M[K]> & (M[K] extends { readonly fileLimit: number } ? { readonly file?: ReceivedFile } : unknown),
  ) => Promise<ReplyOf<M[K]>> | ReplyOf<M[K]>
}
