import type { Access, EndpointShape, Method } from '#shared/kernel/contract.ts'

/**
 * Who may make a call that no contract describes: as a contract says it; a site administrator; whoever signs with the
 * app's secret; whoever knows the connection's verify token; whoever has a token of the simulated Graph API; whoever knows the address itself.
 */
export type Gate = Access | 'siteAdmin' | 'signature' | 'verifyToken' | 'graphToken' | 'address'

/** A call as the API page shows it. Schemas are JSON Schema. */
export interface DescribedCall {
  readonly room: string
  readonly name: string
  readonly method: Method
  /** The whole address, Fastify's syntax for parameters. */
  readonly url: string
  /** One sentence. */
  readonly summary: string
  readonly access: Gate
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  readonly bodyType?: string
  /** Its body may also be a form with a file. */
  readonly takesFile?: boolean
  readonly reply: unknown
  /** Where the schemas alone make none that makes sense. */
  readonly example?: EndpointShape['example']
  readonly replyType?: string
  readonly status?: number
  /** It takes the header that names an organization. */
  readonly takesOrganization?: boolean
  /** Programs may call it with the key of an organization. */
  readonly takesKeys?: boolean
  readonly idempotent?: boolean
  /** Statuses of its refusals. */
  readonly refuses: readonly number[]
  /** What a refusal looks like; the product's one shape unless said. */
  readonly refusal?: unknown
}

/** What a route that no contract describes tells of itself. One address may serve many calls. */
export interface CallList {
  readonly calls: readonly DescribedCall[]
  /** Schemas that the calls name by `#/components/schemas/…`. */
  readonly schemas?: Readonly<Record<string, unknown>>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Asked when somebody first looks at the API page. */
    describeCalls?: () => CallList | Promise<CallList>
  }
}
