import { createHmac, timingSafeEqual } from 'node:crypto'
import type { FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify'
import { asObject, asText, type Json } from '#server/whatsapp/scalars.ts'
import { describeGraphCalls } from '#server/whatsapp/serving/described-calls.ts'
import {
  badToken,
  GraphError,
  noToken,
  paramError,
  unknownObject,
  unknownPath,
} from '#server/whatsapp/serving/graph-error.ts'
import { defaultVersion, readBody, servedVersion, splitPath, tokenOf } from '#server/whatsapp/serving/graph-request.ts'
import { newTraceId } from '#server/whatsapp/serving/ids.ts'
import { asGraphError, sendJson, setHeaders } from '#server/whatsapp/serving/replies.ts'
import { tokenHash } from '../ids.ts'
import { noSuchFile, openMedia } from '../media/media.ts'
import { maxUploadBytes } from '../media/media-kinds.ts'
import { registerUploads } from '../media/upload.ts'
import { findNumberByApp, findNumberByToken, type SandboxNumber } from '../numbers/number-store.ts'
import { nowMs, secretContext } from '../parts.ts'
import { fillUpload, uploadState } from '../templates/template-upload.ts'
import { createEdges } from './edges.ts'
import type { GraphParts } from './graph-parts.ts'
import { tokenFacts } from './nodes.ts'
import { exchangeCode, isAppToken } from './signup.ts'

/** Space in a form besides the largest file: other fields and names. */
const uploadFrameBytes = 64 * 1024
const isSame = (a: string, b: string) => a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** The simulated Graph API, below its mount point, with or without a version. */
export function createGraphPlugin(parts: GraphParts): FastifyPluginAsync {
  const { databases, clock, log } = parts
  /** @throws GraphError 190 if it cannot be decrypted; connecting the simulator again creates a new one */
  const secretOf = (number: SandboxNumber) => {
    try {
      return parts.vault.decrypt(number.appSecretSealed, secretContext(number.phoneNumberId))
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

  const callEdge = createEdges(parts, secretOf)

  const upload = async (number: SandboxNumber, request: FastifyRequest, id: string) => {
    if (request.method === 'GET') return uploadState(databases.read, number, id)
    if (request.method !== 'POST') throw unknownObject(request.method, id)
    const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
    return parts.write(trx => fillUpload(trx, number, id, bytes, nowMs(clock)))
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
      config: {
        describeCalls: () =>
          describeGraphCalls({ mountedAt: app.prefix, service: 'sandboxGraph', access: 'graphToken' }),
      },
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
