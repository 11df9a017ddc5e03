import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { parseExact } from '#server/platform/text/json.ts'
import { breakReply, type Hanging } from '#server/simulator/faults/breakage.ts'
import { newTraceId, tokenHash } from '#server/simulator/ids.ts'
import { acceptUpload, deleteUploadedMedia, mediaInfo, noSuchFile, openMedia } from '#server/simulator/media/media.ts'
import { maxUploadBytes } from '#server/simulator/media/media-kinds.ts'
import { readUpload, registerUploads } from '#server/simulator/media/upload.ts'
import {
  findNumberByApp,
  findNumberByToken,
  type SandboxNumber,
  updateNumber,
} from '#server/simulator/numbers/number-store.ts'
import { nowMs, type SandboxParts, secretPlace } from '#server/simulator/parts.ts'
import type { ReviewJobs } from '#server/simulator/templates/reviews.ts'
import {
  createTemplate,
  editTemplate,
  listOf,
  removeTemplate,
  templateNode,
} from '#server/simulator/templates/template-calls.ts'
import { ensureSamples } from '#server/simulator/templates/template-samples.ts'
import { findTemplate, hasAnyTemplate } from '#server/simulator/templates/template-store.ts'
import { fillUpload, openUpload, uploadState } from '#server/simulator/templates/template-upload.ts'
import type { StatusJobs } from '#server/simulator/webhooks/status-jobs.ts'
import type { Write } from '#server/simulator/write-queue.ts'
import { asObject, asText, type Json } from '#server/whatsapp/scalars.ts'
import { bodyLimitBytes, bodyLimitValues } from '#shared/kernel/limits.ts'
import { acceptMessage } from './accept.ts'
import { controlThread } from './agent.ts'
import { blockedUsers, changeBlocks } from './blocking.ts'
import { describeGraphCalls } from './graph-calls.ts'
import { badToken, GraphError, noToken, paramError, unknownObject, unknownPath } from './graph-error.ts'
import type { Limits } from './limits.ts'
import {
  accountNode,
  appSubscriptions,
  phoneNode,
  phoneNumbers,
  readFields,
  selectFields,
  subscribedApps,
  tokenFacts,
} from './nodes.ts'
import { changeProfile, profileNode } from './profile.ts'
import { acceptReceipt } from './receipt.ts'
import { exchangeCode, isAppToken } from './signup.ts'

export interface GraphParts extends Pick<SandboxParts, 'databases' | 'clock' | 'log' | 'vault' | 'jobs' | 'app'> {
  limits: Limits
  write: Write
  hanging: Hanging
  statuses: Pick<StatusJobs, 'add'>
  reviews: Pick<ReviewJobs, 'plan'>
}

/** A call whose token and number have been checked. */
interface GraphCall {
  request: FastifyRequest
  reply: FastifyReply
  method: string
  number: SandboxNumber
  query: Json
  body: Json
}

type Edge = (call: GraphCall) => Promise<unknown>
type Edges = Readonly<Record<string, Edge>>

const defaultVersion = 'v25.0'
const oldestVersion = 'v21.0'

/** Expired versions are served by the oldest supported one. */
const servedVersion = (asked: string | undefined): string =>
  asked === undefined ? defaultVersion : Number(asked.slice(1)) < Number(oldestVersion.slice(1)) ? oldestVersion : asked

const splitPath = (path: string): { version: string | undefined; path: string[] } => {
  const parts = path.split('/').filter(Boolean)
  return /^v\d+\.\d+$/.test(parts[0] ?? '')
    ? { version: parts[0], path: parts.slice(1) }
    : { version: undefined, path: parts }
}

/** Space in a form besides the largest file: other fields and names. */
const uploadFrameBytes = 64 * 1024
/** Longer than any business name. */
const maxNameChars = 100

const ampersand = '&'.charCodeAt(0)

const countFields = (form: Buffer): number => {
  let fields = 1
  for (const byte of form) if (byte === ampersand) fields += 1
  return fields
}

/** JSON or a form. An unreadable or too large body counts as empty, as at Meta. */
const readBody = ({ body, headers }: FastifyRequest): Json => {
  if (!Buffer.isBuffer(body) || body.length > bodyLimitBytes) return {}
  if (/^application\/x-www-form-urlencoded/i.test(headers['content-type'] ?? '')) {
    if (countFields(body) > bodyLimitValues) return {}
    return Object.fromEntries(new URLSearchParams(body.toString('utf8')))
  }
  try {
    return asObject(parseExact(body, bodyLimitValues)) ?? {}
  } catch {
    return {}
  }
}

const tokenOf = (request: FastifyRequest, query: Json): string | undefined =>
  /^(?:Bearer|OAuth)\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? asText(query.access_token)

const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** The simulated Graph API, below its mount point, with or without a version. */
export function createGraphPlugin(parts: GraphParts): FastifyPluginAsync {
  const { databases, clock, log } = parts
  /** @throws GraphError 190 if it cannot be decrypted; connecting the simulator again creates a new one */
  const secretOf = (number: SandboxNumber) => {
    try {
      return parts.vault.open(number.appSecretSealed, secretPlace(number.phoneNumberId))
    } catch {
      throw badToken()
    }
  }

  /** An app's own token is its id and secret. */
  const numberOf = async (token: string): Promise<SandboxNumber | undefined> => {
    const [appId, secret] = token.split('|')
    if (!appId || secret === undefined) return findNumberByToken(databases.read, tokenHash(token))
    const number = await findNumberByApp(databases.read, appId)
    return number && isSame(secret, secretOf(number)) ? number : undefined
  }

  /** @throws GraphError 104 without a token, 190, or 100 for a wrong proof */
  const authenticate = async (request: FastifyRequest, query: Json): Promise<SandboxNumber> => {
    const token = tokenOf(request, query)
    if (token === undefined) throw noToken()
    const number = await numberOf(token)
    if (!number) throw badToken()
    const proof = asText(query.appsecret_proof)
    if (proof !== undefined && !isSame(proof, createHmac('sha256', secretOf(number)).update(token).digest('hex')))
      throw new GraphError({
        code: 100,
        message: 'Invalid appsecret_proof provided in the API argument',
        type: 'GraphMethodException',
      })
    return number
  }

  const mediaFacts = ({ request, number, query }: GraphCall) => ({
    origin: `${request.protocol}://${request.host}${mountOf(request)}`,
    appSecret: secretOf(number),
    nowMs: nowMs(clock),
    phoneNumberId: asText(query.phone_number_id),
  })

  const sendMessage: Edge = async ({ request, reply, number, body }) => {
    if (body.messaging_product !== 'whatsapp') throw paramError('The parameter messaging_product is required.')
    if (body.status !== undefined) return acceptReceipt(parts, number, body)
    const outcome = await acceptMessage(parts, number, body)
    parts.jobs.wake()
    if (outcome.kind === 'refuse') throw outcome.error
    return outcome.kind === 'break' ? breakReply(request, reply, outcome.how, parts.hanging) : outcome.body
  }

  const setSubscribed =
    (isSubscribed: boolean): Edge =>
    async ({ number }) => {
      await updateNumber(databases.write, number.orgId, { isSubscribed })
      return { success: true }
    }

  const block =
    (isBlocked: boolean): Edge =>
    async ({ reply, number, body }) => {
      const answer = await changeBlocks(parts, number, body, isBlocked)
      reply.status(answer.status)
      return answer.body
    }

  const phoneEdges: Edges = {
    'GET ': async ({ number, query }) => selectFields(phoneNode(number), readFields(query.fields)),
    'POST ': async ({ number, query, body }) => {
      const name = asText({ ...query, ...body }.new_display_name)?.trim()
      if (!name) throw paramError('The parameter new_display_name is required.')
      if (name.length > maxNameChars) throw paramError('The parameter new_display_name is too long.')
      // Names are not reviewed here; they are in use at once.
      await updateNumber(databases.write, number.orgId, { verifiedName: name })
      return { success: true }
    },
    'POST messages': sendMessage,
    'POST media': async ({ request, number }) =>
      acceptUpload(databases.write, number, await readUpload(request), nowMs(clock)),
    'POST thread_control': async ({ number, body }) =>
      parts.write(trx => controlThread(trx, number, body, nowMs(clock))),
    'GET whatsapp_business_profile': async call =>
      profileNode(databases.read, call.number, call.query, mediaFacts(call)),
    'POST whatsapp_business_profile': async ({ number, query, body }) =>
      parts.write(trx => changeProfile(trx, number, { ...query, ...body }, nowMs(clock))),
    'GET block_users': async ({ number, query }) => blockedUsers(databases.read, number, query),
    'POST block_users': block(true),
    'DELETE block_users': block(false),
  }

  const accountEdges: Edges = {
    'GET ': async ({ number, query }) => selectFields(accountNode(number), readFields(query.fields)),
    'GET phone_numbers': async ({ number, query }) => phoneNumbers(number, readFields(query.fields), query.after),
    // The simulated business has no catalogue.
    'GET product_catalogs': async () => ({ data: [] }),
    'GET subscribed_apps': async ({ number }) => subscribedApps(number),
    'POST subscribed_apps': setSubscribed(true),
    'DELETE subscribed_apps': setSubscribed(false),
    'GET message_templates': async ({ request, number, query }) => {
      if (!(await hasAnyTemplate(databases.read, number.orgId)))
        await parts.write(trx => ensureSamples(trx, number.orgId, nowMs(clock)))
      return listOf(databases.read, number, query, `${request.protocol}://${request.host}${request.url.split('?')[0]}`)
    },
    'POST message_templates': async ({ number, query, body }) => {
      const made = await parts.write(trx => createTemplate(parts, trx, number, { ...query, ...body }, nowMs(clock)))
      parts.jobs.wake()
      return made
    },
    'DELETE message_templates': async ({ number, query, body }) =>
      parts.write(trx => removeTemplate(trx, number, { ...query, ...body }, nowMs(clock))),
  }

  const appEdges: Edges = {
    'GET subscriptions': async ({ number }) => appSubscriptions(number),
    'POST uploads': async ({ number, query, body }) =>
      parts.write(trx => openUpload(trx, number, { ...query, ...body }, nowMs(clock))),
  }

  const templateEdges = (id: string): Edges => ({
    'GET ': async ({ number, query }) => templateNode(databases.read, number, id, query),
    'POST ': async ({ number, query, body }) => {
      const done = await parts.write(trx => editTemplate(parts, trx, number, id, { ...query, ...body }, nowMs(clock)))
      parts.jobs.wake()
      return done
    },
  })

  const upload = async (number: SandboxNumber, request: FastifyRequest, id: string) => {
    if (request.method === 'GET') return uploadState(databases.read, number, id)
    if (request.method !== 'POST') throw unknownObject(request.method, id)
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    return parts.write(trx => fillUpload(trx, number, id, bytes, nowMs(clock)))
  }

  const mediaEdges = (id: string): Edges => ({
    'GET ': async call => mediaInfo(databases.read, call.number, id, mediaFacts(call)),
    'DELETE ': async call => deleteUploadedMedia(databases.write, call.number, id, mediaFacts(call)),
  })

  const edgesOf = async (number: SandboxNumber, id: string): Promise<Edges> => {
    if (id === number.phoneNumberId) return phoneEdges
    if (id === number.wabaId) return accountEdges
    if (id === number.appId) return appEdges
    return (await findTemplate(databases.read, number.orgId, id)) ? templateEdges(id) : mediaEdges(id)
  }

  const callEdge = async (call: GraphCall, [id = '', ...rest]: readonly string[]): Promise<unknown> => {
    const edge = rest.join('/')
    const edges = await edgesOf(call.number, id)
    const run = edges[`${call.method} ${edge}`]
    if (run) return run(call)
    const isOurs = edges === phoneEdges || edges === accountEdges || edges === appEdges
    const isKnownEdge = Object.keys(edges).some(key => key.endsWith(` ${edge}`))
    throw isOurs && !isKnownEdge ? unknownPath(edge) : unknownObject(call.method, id)
  }

  const download = async (request: FastifyRequest, reply: FastifyReply, query: Json) => {
    const token = tokenOf(request, {})
    const number = token === undefined ? undefined : await findNumberByToken(databases.read, tokenHash(token))
    const file =
      number && (await openMedia(databases.read, number, query, { appSecret: secretOf(number), nowMs: nowMs(clock) }))
    if (!file) throw noSuchFile()
    // A file must not run as a page of this site, whatever its type.
    reply.header('x-content-type-options', 'nosniff').header('content-security-policy', 'sandbox').type(file.mime)
    reply.header(
      'content-disposition',
      `attachment${file.name === null ? '' : `; filename*=UTF-8''${encodeURIComponent(file.name)}`}`,
    )
    return reply.send(file.bytes)
  }

  const debugToken = async (query: Json) => {
    const input = asText(query.input_token)
    if (input === undefined) throw paramError('The parameter input_token is required.')
    return tokenFacts(await findNumberByToken(databases.read, tokenHash(input)), nowMs(clock))
  }

  const handle = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const { version, path } = splitPath((request.params as { '*': string })['*'])
    const query = asObject(request.query) ?? {}
    setHeaders(reply, servedVersion(version))
    if (path[0] === 'whatsapp_business' && path[1] === 'attachments' && request.method === 'GET')
      return download(request, reply, query)
    if (request.method === 'GET' && path.join('/') === 'oauth/access_token') return exchangeCode(parts, query)
    const asksOfToken = request.method === 'GET' && path[0] === 'debug_token'
    if (asksOfToken && isAppToken(parts, tokenOf(request, query))) return debugToken(query)
    const number = await authenticate(request, query)
    const calls = parts.limits.countManagement(number.wabaId)
    reply.header(
      'x-business-use-case-usage',
      JSON.stringify({
        [number.wabaId]: [
          { type: 'whatsapp', call_count: calls, total_cputime: 0, total_time: 0, estimated_time_to_regain_access: 0 },
        ],
      }),
    )
    if (asksOfToken) return debugToken(query)
    if (/^upload:/.test(path[0] ?? '') && path.length === 1) return upload(number, request, path[0] as string)
    if (!/^\d+$/.test(path[0] ?? '')) throw unknownPath(path.join('/'))
    return callEdge({ request, reply, method: request.method, number, query, body: readBody(request) }, path)
  }

  return async app => {
    app.removeAllContentTypeParsers()
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body))
    await registerUploads(app)
    // Closing waits for requests under way, and hanging ones would take half a minute.
    app.addHook('preClose', async () => {
      for (const end of [...parts.hanging]) end()
    })
    app.setErrorHandler((error: Error & { statusCode?: number }, request, reply) => {
      const known = error instanceof GraphError ? error : asGraphError(error)
      if (!known) log.error({ err: error, url: request.url.split('?')[0] }, 'the simulated Graph API failed')
      const said = known ?? new GraphError({ code: 1, status: 500, message: 'An unknown error occurred' })
      if (said.status === 401)
        reply.header('www-authenticate', `OAuth "Facebook Platform" "invalid_token" "${said.message}"`)
      setHeaders(reply, defaultVersion, reply.hasHeader('facebook-api-version'))
      return sendJson(reply.status(said.status), said.body(newTraceId()))
    })
    app.route({
      method: ['GET', 'POST', 'DELETE'],
      url: '/*',
      bodyLimit: maxUploadBytes + uploadFrameBytes,
      config: { describeCalls: () => describeGraphCalls(app.prefix) },
      // Authenticates before the body, which may have sixteen megabytes, is read.
      onRequest: async request => {
        if (request.method !== 'GET') await authenticate(request, asObject(request.query) ?? {})
      },
      handler: async (request, reply) => {
        const answer = await handle(request, reply)
        // A reply is thenable; returning it through `await` would wait for its own sending.
        return reply.sent ? reply : sendJson(reply, answer)
      },
    })
  }
}

/** Errors of Fastify: bodies that are too large, unreadable uploads. */
const asGraphError = (error: { statusCode?: number; message: string }): GraphError | undefined =>
  error.statusCode !== undefined && error.statusCode < 500
    ? new GraphError({ code: 100, message: '(#100) Invalid parameter', details: error.message, status: 400 })
    : undefined

/** The path at which the plugin is mounted. */
const mountOf = (request: FastifyRequest): string => (request.routeOptions.url ?? '').replace(/\/\*$/, '')

const setHeaders = (reply: FastifyReply, version: string, isSet = false) => {
  if (isSet) return
  reply.headers({
    'facebook-api-version': version,
    'x-fb-trace-id': newTraceId(),
    'x-fb-request-id': newTraceId(),
    'x-fb-rev': '1030000000',
    'access-control-allow-origin': '*',
    'cache-control': 'private, no-cache, no-store, must-revalidate',
    pragma: 'no-cache',
    expires: 'Sat, 01 Jan 2000 00:00:00 GMT',
  })
}

const sendJson = (reply: FastifyReply, body: unknown) =>
  reply.header('content-type', 'application/json; charset=UTF-8').serializer(JSON.stringify).send(body)
