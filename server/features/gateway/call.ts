import type { FastifyReply, FastifyRequest } from 'fastify'
import type { KeyHolder } from '#server/platform/http/actor.ts'
import type { Json } from '#server/whatsapp/scalars.ts'
import type { Capability } from '#shared/kernel/permissions.ts'

/** A call with a usable key. */
export interface GatewayCall {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly caller: KeyHolder
  /** Below the version, as the router read it. */
  readonly path: readonly string[]
  readonly query: Json
  readonly body: Json
}

/** The handler of a path behind an object. `Of` is a number, an account, or the id of something else. */
export interface Edge<Of> {
  readonly access: Capability
  run(call: GatewayCall, of: Of): Promise<unknown>
}

/** Edges by method and the path behind the object: `POST messages`. */
export type Edges<Of> = Readonly<Record<string, Edge<Of>>>
