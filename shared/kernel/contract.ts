import type { Static, TSchema } from 'typebox'
import type { Capability } from './permissions.ts'

/**
 * The callers of an endpoint: `anyone`; a signed-in `person`; a `member` of the organization with any role; or a member
 * whose role has the capability.
 */
export type Access = 'anyone' | 'person' | 'member' | Capability

/**
 * The facts about its caller that the service of a shared answer gets. `organization`: the same for all members, so the
 * answer must not depend on who may see what; `scope`: the same for members with the same scope; `member`: for one
 * member.
 */
export const callerFacts = {
  organization: ['orgId', 'language'],
  scope: ['orgId', 'scope', 'language'],
  member: ['orgId', 'userId', 'role', 'scope', 'language'],
} as const
type SameFor = keyof typeof callerFacts

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export interface EndpointShape {
  readonly method: Method
  /** Below `/api`, with parameters in Fastify's syntax: `/whatsapp/chats/:phone`. */
  readonly path: string
  readonly access: Access
  /** One sentence for the API page. */
  readonly summary: string
  readonly params?: TSchema
  readonly query?: TSchema
  readonly body?: TSchema
  readonly reply: TSchema
  /** Status of success; 200 by default. */
  readonly status?: number
  /** Error statuses beyond those that follow from access, parameters and body; for the API page. */
  readonly refuses?: readonly (404 | 409 | 416 | 422 | 502 | 503)[]
  /** An `idempotency-key` header makes a repeated call return the first answer for 24 h. */
  readonly idempotent?: boolean
  /**
   * Declares that the answer depends only on the database, the input, the language and these facts about the caller;
   * never on clock, chance or memory. The service gets only `callerFacts`, and over HTTP the answer is cached until the
   * next commit. For reads of members only.
   */
  readonly sameFor?: SameFor
  /** Query fields with which the answer does depend on the clock, and is not cached. */
  readonly exceptWith?: readonly string[]
  /**
   * The answer may have thousands of rows, or is counted from them: a caller gets one at a time, an organization two, and
   * further calls wait. For calls in an organization only.
   */
  readonly large?: true
  /** Concerns what is a person's own, so API keys are refused. Implied by the access `person`. */
  readonly peopleOnly?: true
  /** Concerns all conversations, so members with a limited scope are refused. */
  readonly wholeInbox?: true
  /** Allowed while the second factor or single sign-on is missing, because this call leads to it. */
  readonly finishes?: 'secondFactor' | 'sso'
  /** A sensible example that the schemas alone do not give; for the API page. */
  readonly example?: { readonly query?: object; readonly body?: object }
  /** The service also gets the request's id and idempotency key, to pass them on. @see RequestFacts */
  readonly withRequest?: true
  /** Only for site administrators; `access` is then `person`. */
  readonly siteAdmin?: true
  /** Bytes; by default the app's limit. */
  readonly bodyLimit?: number
  /** The body may also be a form (`multipart/form-data`) whose part `file` has at most this many bytes. */
  readonly fileLimit?: number
  /** Limit of JSON values in a body; by default the app's. */
  readonly bodyValues?: number
}

/** The parts of a request that a service passes on to another system. */
export interface RequestFacts {
  readonly id: string
  readonly idempotencyKey?: string | undefined
}

/** Declares an endpoint once, for validation, serialization, the API page and both clients. */
export const endpoint = <const E extends EndpointShape>(shape: E): E => shape

type Part<E extends EndpointShape, K extends 'params' | 'query' | 'body'> = E[K] extends TSchema
  ? { [P in K]: Static<E[K]> }
  : unknown

/** The file of a form, stored on disk. It is deleted after the call unless the service takes it over. */
export interface ReceivedFile {
  readonly id: string
  readonly path: string
  readonly size: number
  /** Lowercase hex. */
  readonly sha256: string
  /** The first bytes. */
  readonly head: Uint8Array
  /** The type by its first bytes; undefined: text, or unknown. */
  readonly found: string | undefined
  /** Dimensions of a picture that browsers show. */
  readonly picture?: { readonly width: number; readonly height: number }
  /** The name given by the sender's program; null: none. */
  readonly name: string | null
  /** The type given by the sender's program; empty: none. */
  readonly mime: string
}

/** `{ params, query, body }`, each only if the endpoint declares it. */
export type InputOf<E extends EndpointShape> = Part<E, 'params'> & Part<E, 'query'> & Part<E, 'body'>
export type ReplyOf<E extends EndpointShape> = Static<E['reply']>

export type EndpointMap = Readonly<Record<string, EndpointShape>>

export type ClientOf<M extends EndpointMap> = {
  readonly [K in keyof M]: (input: InputOf<M[K]>) => Promise<ReplyOf<M[K]>>
}

/** The callers that an endpoint admits. */
type Admitted<E extends EndpointShape, Caller> = E extends { readonly peopleOnly: true } | { readonly access: 'person' }
  ? Exclude<Caller, { readonly kind: 'key' }>
  : Caller

type FactsOf<S extends SameFor, Caller> = Pick<Caller, Extract<(typeof callerFacts)[S][number], keyof Caller>>

type NarrowedCaller<E extends EndpointShape, Caller> = E extends { readonly sameFor: infer S extends SameFor }
  ? FactsOf<S, Admitted<E, Caller>>
  : Admitted<E, Caller>

/** The service of a feature's endpoints: the same names, with the caller first. */
export type ServiceOf<M extends EndpointMap, Caller> = {
  readonly [K in keyof M]: (
    caller: NarrowedCaller<M[K], Caller>,
    input: InputOf<M[K]> & (M[K] extends { readonly fileLimit: number } ? { readonly file?: ReceivedFile } : unknown),
  ) => Promise<ReplyOf<M[K]>> | ReplyOf<M[K]>
}
