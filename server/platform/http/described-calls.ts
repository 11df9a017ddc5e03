import type { Access, EndpointShape, Method } from '#shared/kernel/contract.ts'

/**
 * The access to a call without a contract: an access of contracts; a site administrator; a caller who signs with the
 * app's secret, knows the connection's verify token, has a token of the simulated Graph API, or knows the address
 * itself.
 */
export type Gate = Access | 'siteAdmin' | 'signature' | 'verifyToken' | 'graphToken' | 'address'

/** A call as the API page shows it. Schemas are JSON Schema. */
export interface DescribedCall {
  readonly service: string
  readonly name: string
  readonly method: Method
  /** The full path, with parameters in Fastify's syntax. */
  readonly url: string
  /** One sentence. */
  readonly summary: string
  readonly access: Gate
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly bodyType?: string
  /** The body may also be a form with a file. */
  readonly takesFile?: boolean
  readonly reply: unknown
  /** Used where an example made from the schemas makes no sense. */
  readonly example?: EndpointShape['example']
  readonly replyType?: string
  readonly status?: number
  /** Accepts the header that names an organization. */
  readonly takesOrganization?: boolean
  /** Accepts API keys. */
  readonly takesKeys?: boolean
  readonly idempotent?: boolean
  /** Statuses of its errors. */
  readonly refuses: readonly number[]
  /** The shape of refusals. Absent: the product's usual one. */
  readonly refusal?: unknown
}

/** The description of a route without a contract. One path may serve many calls. */
export interface CallList {
  readonly calls: readonly DescribedCall[]
  /** Schemas that the calls reference as `#/components/schemas/…`. */
  readonly schemas?: Readonly<Record<string, unknown>>
}

/** A webhook that we send to programs, as the API document shows it. */
export interface DescribedWebhook {
  readonly type: string
  /** One sentence. */
  readonly summary: string
  readonly body: unknown
  readonly example: unknown
}

/** All of them, with schemas that they reference as `#/components/schemas/…`. */
export interface WebhookList {
  readonly webhooks: readonly DescribedWebhook[]
  readonly schemas: Readonly<Record<string, unknown>>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Called when the API page is first opened. */
    describeCalls?: () => CallList | Promise<CallList>
  }
}
