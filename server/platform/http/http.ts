import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AsOf, Memo } from '#server/platform/work/memo.ts'
import type { EndpointMap, EndpointShape, ReceivedFile } from '#shared/kernel/contract.ts'
import { admit, type Caller, narrowCaller } from './access.ts'
import { callerId, type OrgCaller, type Person, type Visitor } from './actor.ts'
import type { LargeAnswers } from './large-answers.ts'
import { readsJsonFields } from './plugins/form-json.ts'
import { acceptForms, type FormFiles, readForm } from './plugins/forms.ts'
import { printerOf } from './printing.ts'
import { endpointReader } from './validate.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Set by `session-plugin.ts` before any route. */
    caller: Caller
    /** The database version when this request first asked for it; cached answers must be at least that new. */
    asOf: AsOf
    /** The admitted actor. */
    actor: Visitor | Person | OrgCaller
  }
  interface FastifyContextConfig {
    endpoint?: EndpointShape
    service?: string
    name?: string
  }
}

// biome-ignore lint/suspicious/noExplicitAny: features differ in their caller; each service is typed where it is made
export type AnyService = Readonly<Record<string, (caller: any, input: any) => unknown>>

/** The owner of an idempotency key where no actor was admitted, and the content that a repeated call must equal. */
export interface OnceOwner {
  readonly orgId: string
  readonly caller: string
  readonly content: unknown
}

/** Wraps a handler so that a repeated `idempotency-key` gets the first answer. Provided by `plugins/idempotency.ts`. */
export type Once = (
  request: FastifyRequest,
  reply: FastifyReply,
  run: () => Promise<unknown>,
  owner?: OnceOwner,
) => Promise<unknown>

/** A `clientKey` derived from the `idempotency-key`; undefined: no header. */
export const clientKeyOf = (request: FastifyRequest): string | undefined => {
  const key = request.headers['idempotency-key']
  return typeof key === 'string' ? createHash('sha256').update(key).digest('base64url') : undefined
}

/** The organization named by the header; undefined: the session's active one. */
export const organizationOf = (request: FastifyRequest): string | undefined => {
  const header = request.headers['x-organization']
  return (Array.isArray(header) ? header[0] : header)?.trim() || undefined
}

/**
 * Where a body has a `clientKey`, the `idempotency-key` becomes its default. If the process dies after the effect but
 * before the answer is stored, the repeated call still finds the effect.
 */
const pairByKey = (endpoint: EndpointShape, request: FastifyRequest, input: { body?: unknown }) => {
  const key = clientKeyOf(request)
  const properties = (endpoint.body as { properties?: object } | undefined)?.properties ?? {}
  if (!endpoint.idempotent || key === undefined || !('clientKey' in properties)) return
  const body = input.body as { clientKey?: string }
  body.clientKey ??= key
}

/**
 * Whether the answer to this query depends only on the database, the query, and what several callers have in common.
 */
export const isSameForSeveral = ({ sameFor, exceptWith }: EndpointShape, query: object): boolean =>
  sameFor !== undefined && !exceptWith?.some(field => field in query)

/** Beginning of a cache key: what the answer may depend on about the caller. */
export const factsKey = (caller: object): string =>
  Object.values(caller)
    .map(fact => (typeof fact === 'string' ? fact : JSON.stringify(fact)))
    .join('\n')

/** Cache key: the URL contains the whole input of a read. */
const answerKey = (request: FastifyRequest, caller: object): string => `${factsKey(caller)}\n${request.url}`

/** Runs a call with a form's fields and file. A file that the call does not take over is deleted. */
const withForm = async (
  request: FastifyRequest,
  { fileLimit }: EndpointShape,
  files: FormFiles,
  run: (form: { fields: Readonly<Record<string, string>>; file: ReceivedFile | undefined }) => Promise<unknown>,
) => {
  const caller = request.actor as OrgCaller
  const { orgId } = caller
  const broughtBy = callerId(caller)
  const form = await readForm(request, { orgId, broughtBy, files, maxBytes: fileLimit as number })
  try {
    return await run(form)
  } finally {
    if (form.file) await files.discard(orgId, form.file.id)
  }
}

/** The origin of a call. */
export interface CallOrigin {
  readonly address: string
  /** The `user-agent` header. */
  readonly device: string | undefined
}

/** Writes audit entries around the work of a call. */
export interface ChangeRecorder {
  /** `name`: feature and call, such as `tags.deleteTag`. A call that is not recorded just runs. */
  aroundCall<T>(
    call: { name: string; caller: OrgCaller; origin: CallOrigin; given: Readonly<Record<string, unknown>> },
    work: () => Promise<T>,
  ): Promise<T>
}

/**
 * Registers a feature's endpoints with access check, validation, service and reply schema. `files` stores files of
 * forms.
 */
export function mount(
  app: FastifyInstance,
  serviceName: string,
  endpoints: EndpointMap,
  service: AnyService,
  once: Once,
  {
    memo,
    files,
    audit,
    largeAnswers,
  }: { memo?: Memo; files?: FormFiles; audit?: ChangeRecorder; largeAnswers?: LargeAnswers } = {},
): void {
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const reader = endpointReader(endpoint)
    const formReader = endpoint.fileLimit === undefined ? reader : endpointReader(endpoint, { isForm: true })
    const readJson = endpoint.fileLimit === undefined ? undefined : readsJsonFields(app)
    const status = endpoint.status ?? 200
    const run = service[name]
    if (!run) throw new Error(`The service of "${serviceName}" has no "${name}"`)
    if (endpoint.sameFor && (endpoint.method !== 'GET' || ['anyone', 'person'].includes(endpoint.access)))
      throw new Error(`"${serviceName}.${name}" sets sameFor: only a GET for members may share its answer`)
    if (endpoint.sameFor === 'member' && !endpoint.peopleOnly)
      throw new Error(`"${serviceName}.${name}" sets sameFor to "member": it must also set peopleOnly`)
    if (endpoint.large && ['anyone', 'person'].includes(endpoint.access))
      throw new Error(`"${serviceName}.${name}" sets large: only a call inside an organization may`)
    const runBounded = (request: FastifyRequest, caller: object, input: unknown, isShared = false) => {
      const work = async () => run(caller, input)
      if (!endpoint.large || !largeAnswers) return work()
      // Other callers may wait for a shared answer.
      const isWanted = () => isShared || !request.raw.socket.destroyed
      return largeAnswers.make({ caller: request.actor as OrgCaller, service: serviceName, isShared, isWanted }, work)
    }
    const perform = (request: FastifyRequest, reply: FastifyReply, caller: object, input: { body?: unknown }) => {
      pairByKey(endpoint, request, input)
      const act = () => runBounded(request, caller, input)
      const { params, query, body } = input as Partial<Record<'params' | 'query' | 'body', object>>
      const origin = { address: request.ip, device: request.headers['user-agent'] }
      const work = () =>
        audit && 'orgId' in caller
          ? audit.aroundCall(
              {
                name: `${serviceName}.${name}`,
                caller: caller as OrgCaller,
                origin,
                given: { ...query, ...body, ...params },
              },
              act,
            )
          : act()
      return endpoint.idempotent ? once(request, reply, work) : work()
    }
    const route = (scope: FastifyInstance) =>
      scope.route({
        method: endpoint.method,
        url: `/api${endpoint.path}`,
        ...(endpoint.bodyLimit ? { bodyLimit: endpoint.bodyLimit } : {}),
        config: { endpoint, service: serviceName, name },
        schema: {
          summary: endpoint.summary,
          tags: [serviceName],
          ...(endpoint.params ? { params: endpoint.params } : {}),
          ...(endpoint.query ? { querystring: endpoint.query } : {}),
          ...(endpoint.body ? { body: endpoint.body } : {}),
          response: { [status]: endpoint.reply },
        },
        serializerCompiler: ({ schema }) => printerOf(schema),
        // The reader below validates: unlike Fastify's, it does not coerce bodies and names every field.
        validatorCompiler: () => () => true,
        onRequest: async request => {
          request.actor = await admit(endpoint, request.caller, organizationOf(request))
        },
        handler: async (request, reply) => {
          const { id, headers } = request
          const caller = narrowCaller(endpoint, request.actor, {
            id,
            idempotencyKey: headers['idempotency-key'] as never,
          })
          const read = () => reader.read({ params: request.params, query: request.query, body: request.body })
          reply.status(status)
          if (memo && isSameForSeveral(endpoint, request.query as object)) {
            const make = async () =>
              Buffer.from(reply.serialize((await runBounded(request, caller, read(), true)) as object) as string)
            const answer = await memo.recall(answerKey(request, caller), make, request.asOf)
            return reply.type('application/json; charset=utf-8').send(answer)
          }
          if (!files || !readJson || !request.isMultipart()) return perform(request, reply, caller, read())
          return withForm(request, endpoint, files, async ({ fields, file }) => {
            const body = readJson(request, endpoint.body, fields)
            const input = formReader.read({ params: request.params, query: request.query, body })
            // A repeated call is compared by the file's content, not by its stored path.
            request.body = { fields, file: file?.sha256 ?? null }
            return perform(request, reply, caller, { ...input, ...(file ? { file } : {}) })
          })
        },
      })
    if (files && endpoint.fileLimit !== undefined)
      app.register(async scope => {
        await acceptForms(scope)
        route(scope)
      })
    else route(app)
  }
}
