import { createHash } from 'node:crypto'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
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

/** True if the answer to this query depends only on the database, the query, and what several callers have in common. */
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

/** A call of a contract, with the function of the service that does it. */
interface MountedCall {
  readonly service: string
  readonly name: string
  readonly endpoint: EndpointShape
  readonly run: NonNullable<AnyService[string]>
}

interface CallInput {
  readonly params?: unknown
  readonly query?: unknown
  readonly body?: unknown
  /** The file of a form. */
  readonly file?: ReceivedFile
}

type RunService = (
  request: FastifyRequest,
  caller: object,
  input: CallInput,
  options?: { readonly isShared: boolean },
) => Promise<unknown>
type Perform = (request: FastifyRequest, reply: FastifyReply, caller: object, input: CallInput) => Promise<unknown>
type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<unknown>

interface MountParts {
  readonly memo?: Memo
  /** Stores the files of forms. */
  readonly files?: FormFiles
  readonly audit?: ChangeRecorder
  readonly largeAnswers?: LargeAnswers
}

/** @throws Error if options of the contract exclude one another */
function requireConsistent({ service, name, endpoint }: MountedCall): void {
  const isOutsideOrg = ['anyone', 'person'].includes(endpoint.access)
  if (endpoint.sameFor && (endpoint.method !== 'GET' || isOutsideOrg))
    throw new Error(`"${service}.${name}" sets sameFor: only a GET for members may share its answer`)
  if (endpoint.sameFor === 'member' && !endpoint.peopleOnly)
    throw new Error(`"${service}.${name}" sets sameFor to "member": it must also set peopleOnly`)
  if (endpoint.large && isOutsideOrg)
    throw new Error(`"${service}.${name}" sets large: only a call inside an organization may`)
}

/** Returns the function that calls the service. A large answer waits there until it may be made. */
const createServiceRun =
  ({ service, endpoint, run }: MountedCall, largeAnswers: LargeAnswers | undefined): RunService =>
  (request, caller, input, { isShared } = { isShared: false }) => {
    const work = async () => run(caller, input)
    if (!endpoint.large || !largeAnswers) return work()
    // Other callers may wait for a shared answer.
    const isWanted = () => isShared || !request.raw.socket.destroyed
    return largeAnswers.make({ caller: request.actor as OrgCaller, service, isShared, isWanted }, work)
  }

/** Returns the function that calls the service, records the change, and does it once for each idempotency key. */
const createPerform =
  ({ service, name, endpoint }: MountedCall, runService: RunService, once: Once, audit?: ChangeRecorder): Perform =>
  (request, reply, caller, input) => {
    pairByKey(endpoint, request, input)
    const act = () => runService(request, caller, input)
    const { params, query, body } = input as Partial<Record<'params' | 'query' | 'body', object>>
    const origin = { address: request.ip, device: request.headers['user-agent'] }
    const record = () =>
      audit && 'orgId' in caller
        ? audit.aroundCall(
            {
              name: `${service}.${name}`,
              caller: caller as OrgCaller,
              origin,
              given: { ...query, ...body, ...params },
            },
            act,
          )
        : act()
    return endpoint.idempotent ? once(request, reply, record) : record()
  }

/** Sends an answer that several callers share. It is printed once and kept as bytes. */
const sendShared = async (
  memo: Memo,
  request: FastifyRequest,
  reply: FastifyReply,
  caller: object,
  make: () => Promise<unknown>,
) => {
  const print = async () => Buffer.from(reply.serialize((await make()) as object) as string)
  const answer = await memo.recall(answerKey(request, caller), print, request.asOf)
  return reply.type('application/json; charset=utf-8').send(answer)
}

/** Returns the function that reads a form, and performs the call with its fields and file. */
function createFormPerform(app: FastifyInstance, { endpoint }: MountedCall, files: FormFiles, perform: Perform) {
  const readJson = readsJsonFields(app)
  const reader = endpointReader(endpoint, { isForm: true })
  return (request: FastifyRequest, reply: FastifyReply, caller: object) =>
    withForm(request, endpoint, files, async ({ fields, file }) => {
      const body = readJson(request, endpoint.body, fields)
      const input = reader.read({ params: request.params, query: request.query, body })
      // A repeated call is compared by the file's content, not by its stored path.
      request.body = { fields, file: file?.sha256 ?? null }
      return perform(request, reply, caller, { ...input, ...(file ? { file } : {}) })
    })
}

/** Returns the handler of an admitted request: it answers from the memo, from a form, or from JSON. */
function createHandler(
  app: FastifyInstance,
  call: MountedCall,
  once: Once,
  { memo, files, audit, largeAnswers }: MountParts,
): Handler {
  const { endpoint } = call
  const reader = endpointReader(endpoint)
  const runService = createServiceRun(call, largeAnswers)
  const perform = createPerform(call, runService, once, audit)
  const performForm = files && takesFile(endpoint) ? createFormPerform(app, call, files, perform) : undefined
  return async (request, reply) => {
    const { id, headers, params, query, body } = request
    const caller = narrowCaller(endpoint, request.actor, { id, idempotencyKey: headers['idempotency-key'] as never })
    const read = () => reader.read({ params, query, body })
    reply.status(statusOf(endpoint))
    if (memo && isSameForSeveral(endpoint, query as object))
      return sendShared(memo, request, reply, caller, () => runService(request, caller, read(), { isShared: true }))
    if (performForm && request.isMultipart()) return performForm(request, reply, caller)
    return perform(request, reply, caller, read())
  }
}

const statusOf = ({ status = 200 }: EndpointShape) => status
const takesFile = ({ fileLimit }: EndpointShape) => fileLimit !== undefined

/** The schemas of a route. Fastify prints by the one of the reply; the API document is written from all of them. */
const routeSchemaOf = ({ service, endpoint }: MountedCall) => ({
  summary: endpoint.summary,
  tags: [service],
  ...(endpoint.params ? { params: endpoint.params } : {}),
  ...(endpoint.query ? { querystring: endpoint.query } : {}),
  ...(endpoint.body ? { body: endpoint.body } : {}),
  response: { [statusOf(endpoint)]: endpoint.reply },
})

/** The route of a call: its address, its schemas, and the access check before the body is read. */
const routeOf = (call: MountedCall, handler: Handler): RouteOptions => ({
  method: call.endpoint.method,
  url: `/api${call.endpoint.path}`,
  ...(call.endpoint.bodyLimit ? { bodyLimit: call.endpoint.bodyLimit } : {}),
  config: { endpoint: call.endpoint, service: call.service, name: call.name },
  schema: routeSchemaOf(call),
  serializerCompiler: ({ schema }) => printerOf(schema),
  // The handler's reader validates: unlike Fastify's, it does not coerce bodies and names every field.
  validatorCompiler: () => () => true,
  onRequest: async request => {
    request.actor = await admit(call.endpoint, request.caller, organizationOf(request))
  },
  handler,
})

/** Registers a feature's endpoints with access check, validation, service and reply schema. */
export function mount(
  app: FastifyInstance,
  service: string,
  endpoints: EndpointMap,
  functions: AnyService,
  once: Once,
  parts: MountParts = {},
): void {
  for (const [name, endpoint] of Object.entries(endpoints)) {
    const run = functions[name]
    if (!run) throw new Error(`The service of "${service}" has no "${name}"`)
    const call = { service, name, endpoint, run }
    requireConsistent(call)
    const route = routeOf(call, createHandler(app, call, once, parts))
    if (parts.files && takesFile(endpoint))
      app.register(async scope => {
        await acceptForms(scope)
        scope.route(route)
      })
    else app.route(route)
  }
}
