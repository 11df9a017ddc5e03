import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { randomUUID } from '#server/platform/crypto/random.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { fallbackLanguage, type Language, toLanguage } from '#shared/kernel/language.ts'
import { AppError, appErrors } from '../errors.ts'
import { refusalIn, retryAfterOf, type Say, toWireError } from '../refusals.ts'
import { createRefusalLog } from './refusal-log.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The error this request was answered with. */
    refusedAs: AppError | undefined
  }
}

/** Translates a key such as `errors:APP_FORBIDDEN`. Returns the key if there is no text. */
export type Translate = (language: Language, key: string, params?: Record<string, string | number>) => string

interface ErrorReplyParts {
  readonly translate: Translate
}

/** Fastify's errors as ours; others are mapped by status. @see fastify docs/Reference/Errors.md */
const byFastifyCode: Readonly<Record<string, (limit: number) => AppError>> = {
  FST_ERR_CTP_BODY_TOO_LARGE: limit => appErrors.TOO_LARGE({ params: { limitKb: Math.floor(limit / 1024) } }),
  FST_ERR_CTP_INVALID_MEDIA_TYPE: () => appErrors.WRONG_CONTENT_TYPE(),
  FST_ERR_CTP_EMPTY_JSON_BODY: () => appErrors.BAD_JSON(),
  FST_ERR_CTP_INVALID_JSON_BODY: () => appErrors.BAD_JSON(),
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: () => appErrors.BAD_JSON(),
  FST_ERR_NOT_FOUND: () => appErrors.NOT_FOUND(),
}
const byStatus: Readonly<Record<number, () => AppError>> = {
  404: () => appErrors.NOT_FOUND(),
  413: () => appErrors.TOO_LARGE(),
  415: () => appErrors.WRONG_CONTENT_TYPE(),
  429: () => appErrors.TOO_MANY_REQUESTS(),
  503: () => appErrors.UNAVAILABLE({ retryAfterSeconds: 2 }),
}

const toAppError = (error: unknown, limit: number): AppError | undefined => {
  const refusal = refusalIn(error)
  if (refusal) return refusal
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>
  const known = code === undefined ? undefined : byFastifyCode[code]
  if (known) return known(limit)
  // A status that a library set on its error is not meant for our callers; only Fastify's counts.
  if (!code?.startsWith('FST_') || statusCode === undefined) return undefined
  if (byStatus[statusCode]) return byStatus[statusCode]()
  return statusCode >= 400 && statusCode < 500 ? new AppError('APP_VALIDATION', statusCode) : undefined
}

/** A refused body is read up to this size. */
const drainLimitBytes = 64 * 1024 * 1024

/**
 * A client that is still sending reads the reply only afterwards. If the connection were closed earlier, it would see a
 * broken connection instead of the error; if nobody read the rest, the connection would stay.
 */
export const drainRefusedBody = ({ raw }: Pick<FastifyRequest, 'raw'>, reply: FastifyReply) => {
  let bytes = 0
  reply.removeHeader('connection')
  raw.on('data', (chunk: Buffer) => {
    bytes += chunk.length
    if (bytes > drainLimitBytes) raw.destroy()
  })
  raw.resume()
}

const languageOf = (request: FastifyRequest): Language =>
  request.caller?.language ?? toLanguage(request.headers['accept-language']?.split(',')[0]) ?? fallbackLanguage

const sayTo =
  (request: FastifyRequest, translate: Translate): Say =>
  (key, params) =>
    translate(languageOf(request), key, params)

const send = (request: FastifyRequest, reply: FastifyReply, error: AppError, translate: Translate) => {
  request.refusedAs = error
  const retryAfter = retryAfterOf(error)
  if (retryAfter !== undefined) reply.header('retry-after', String(retryAfter))
  return (
    reply
      .status(error.status)
      .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      .type('application/json; charset=utf-8')
      // The route's schema is for success; errors have one shape everywhere.
      .serializer((payload: unknown) => JSON.stringify(payload))
      .send(toWireError(error, request.id, sayTo(request, translate)))
  )
}

/**
 * Answers every error of the calls in one shape. Expected ones by their code; others are logged completely and answered
 * with a general text and the request's id. Scopes with their own handlers (the simulated Graph API, pages) keep them.
 */
export function installErrorReply(app: FastifyInstance, { translate }: ErrorReplyParts): void {
  const logRefusal = createRefusalLog()
  app.decorateRequest('refusedAs', undefined)
  app.setErrorHandler((error, request, reply) => {
    const limit = request.routeOptions.bodyLimit ?? app.initialConfig.bodyLimit ?? 0
    const known = toAppError(error, limit)
    // Also webhooks refused because too many are pending, which the sender repeats: one line each, bounded, without a
    // stack.
    if (known && (known.status < 500 || known.code === 'INTAKE_TOO_MANY_WAITING')) {
      logRefusal(request, known)
      if (!request.raw.complete) drainRefusedBody(request, reply)
      return send(request, reply, known, translate)
    }
    // The client closed the connection during its request; not an error of ours.
    if (request.raw.readableAborted) {
      request.log.debug({ requestId: request.id, route: request.routeOptions.url }, 'the caller went away')
      return send(request, reply, appErrors.BAD_JSON(), translate)
    }
    const facts = {
      err: errorFacts(error),
      requestId: request.id,
      method: request.method,
      route: request.routeOptions.url,
    }
    // Upstream failures are expected, but worth a line.
    if (known) request.log.warn(facts, 'a request could not be served')
    else request.log.error(facts, 'a request failed')
    return send(request, reply, known ?? appErrors.INTERNAL(), translate)
  })
  app.setNotFoundHandler((request, reply) => {
    if (!request.raw.complete) drainRefusedBody(request, reply)
    return send(request, reply, appErrors.NOT_FOUND(), translate)
  })
}

/**
 * The value of Fastify's option `frameworkErrors`: paths that cannot be decoded reach no route and no error handler.
 */
export const frameworkErrors =
  ({ translate }: ErrorReplyParts) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal =
      error.statusCode === undefined || error.statusCode >= 500 ? appErrors.INTERNAL() : appErrors.NOT_FOUND()
    if (refusal.status >= 500) request.log.error({ err: errorFacts(error), requestId: request.id }, 'a request failed')
    const wire = toWireError(refusal, request.id, sayTo(request, translate))
    reply.raw.writeHead(refusal.status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    reply.raw.end(JSON.stringify(wire))
  }

/**
 * HTTP/1.1 requires a host header, and a target has no fragment: the router ends an address there, other readers of it
 * would not. @see RFC 9112 §3.2
 */
export const refuseOddTargets = (app: FastifyInstance): void => {
  app.addHook('onRequest', ({ raw }, _reply, done) => {
    const isWithoutHost = raw.httpVersion === '1.1' && raw.headers.host === undefined
    done(isWithoutHost || raw.url?.includes('#') ? appErrors.BAD_REQUEST() : undefined)
  })
}

/** Errors of Node's parser, before there is a request. @see nodejs.org/api/http.html#event-clienterror */
const byParserCode: Readonly<Record<string, () => AppError>> = {
  HPE_HEADER_OVERFLOW: () => appErrors.HEADERS_TOO_LARGE(),
  ERR_HTTP_REQUEST_TIMEOUT: () => appErrors.REQUEST_TIMEOUT(),
}

/**
 * The value of Fastify's option `clientErrorHandler`: answers bytes that are not a request with the usual error shape,
 * and closes the connection. The language is unknown.
 */
export const socketRefusal =
  ({ translate }: ErrorReplyParts) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || socket.destroyed) return
    if (!socket.writable) {
      socket.destroy()
      return
    }
    const say: Say = (key, params) => translate(fallbackLanguage, key, params)
    const refusal = byParserCode[error.code ?? '']?.() ?? appErrors.BAD_REQUEST()
    const body = JSON.stringify(toWireError(refusal, randomUUID(), say))
    socket.end(
      [
        `HTTP/1.1 ${refusal.status} ${STATUS_CODES[refusal.status]}`,
        'content-type: application/json; charset=utf-8',
        'cache-control: no-store',
        'x-content-type-options: nosniff',
        `content-length: ${Buffer.byteLength(body)}`,
        'connection: close',
        '',
        body,
      ].join('\r\n'),
      () => socket.destroy(),
    )
  }
