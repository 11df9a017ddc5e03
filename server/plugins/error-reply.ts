import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { WireError } from '#shared/error.ts'
import { fallbackLanguage, type Language, toLanguage } from '#shared/language.ts'
import { isDatabaseTrouble } from '../db.ts'
import { AppError, appErrors } from '../errors.ts'
import { errorFacts } from '../redact.ts'
import { InvalidInput } from '../validate.ts'

/** A text in a language, by its key: `errors:APP_FORBIDDEN`. Answers the key itself when there is none. */
export type Translate = (language: Language, key: string, params?: Record<string, string | number>) => string

export interface ErrorReplyParts {
  readonly translate: Translate
}

/** Fastify's own refusals in our words; what is not here goes by its status. @see fastify docs/Reference/Errors.md */
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
  if (error instanceof AppError) return error
  // A lock, a full disk: the same again later is right.
  if (isDatabaseTrouble(error)) return appErrors.UNAVAILABLE({ retryAfterSeconds: 5 })
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>
  const known = code === undefined ? undefined : byFastifyCode[code]
  if (known) return known(limit)
  // A number that a library hung on its error says nothing of ours, unless it is Fastify's.
  if (!code?.startsWith('FST_') || statusCode === undefined) return undefined
  if (byStatus[statusCode]) return byStatus[statusCode]()
  return statusCode >= 400 && statusCode < 500 ? new AppError('APP_VALIDATION', statusCode) : undefined
}

const languageOf = (request: FastifyRequest): Language =>
  request.caller?.language ?? toLanguage(request.headers['accept-language']?.split(',')[0]) ?? fallbackLanguage

/** The refusal as it goes over the wire; `message` is for the person who asked. */
function toWireError(error: AppError, language: Language, requestId: string, translate: Translate): WireError {
  const message = translate(language, `errors:${error.textCode}`, { requestId, ...error.params })
  const wire: WireError = { statusCode: error.status, code: error.code, message, requestId }
  if (error instanceof InvalidInput)
    wire.details = error.faults.map(fault => ({
      field: fault.field,
      code: fault.code,
      message: fieldMessage(fault.text ?? `errors:field.${fault.code}`, fault.params, language, translate),
    }))
  else if (error.fields.length) wire.details = error.fields.map(field => ({ field, code: error.code, message }))
  return wire
}

const fieldMessage = (
  key: string,
  params: Record<string, string | number>,
  language: Language,
  translate: Translate,
) => {
  const text = translate(language, key, params)
  // Schemas can grow keywords that have no sentence yet.
  return text === key || text === key.slice(key.indexOf(':') + 1) ? translate(language, 'errors:field.invalid') : text
}

const send = (request: FastifyRequest, reply: FastifyReply, error: AppError, translate: Translate) => {
  if (error.retryAfterSeconds !== undefined)
    reply.header('retry-after', String(Math.max(1, Math.ceil(error.retryAfterSeconds))))
  return (
    reply
      .status(error.status)
      .headers({ 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' })
      .type('application/json; charset=utf-8')
      // The route's schema is for its success; this shape is the same for all.
      .serializer((payload: unknown) => JSON.stringify(payload))
      .send(toWireError(error, languageOf(request), request.id, translate))
  )
}

/**
 * Answers every refusal and every failure of the calls in one shape. Expected ones are told by their code; anything
 * else is logged whole and told as one sentence with the request's id. A scope with its own handlers (the simulated
 * Graph API, pages) keeps them.
 */
export function installErrorReply(app: FastifyInstance, { translate }: ErrorReplyParts): void {
  app.setErrorHandler((error, request, reply) => {
    const limit = request.routeOptions.bodyLimit ?? app.initialConfig.bodyLimit ?? 0
    const known = toAppError(error, limit)
    if (known && known.status < 500) return send(request, reply, known, translate)
    // Who goes away in the middle of a request has no answer to wait for, and is no trouble of ours.
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
    // An upstream that said no is expected, and still worth a line.
    if (known) request.log.warn(facts, 'a request could not be served')
    else request.log.error(facts, 'a request failed')
    return send(request, reply, known ?? appErrors.INTERNAL(), translate)
  })
  app.setNotFoundHandler((request, reply) => send(request, reply, appErrors.NOT_FOUND(), translate))
}

/** For Fastify's option of the same name: addresses that cannot be decoded never reach a route, nor its handlers. */
export const frameworkErrors =
  ({ translate }: ErrorReplyParts) =>
  (error: FastifyError, request: FastifyRequest, reply: FastifyReply): void => {
    const refusal =
      error.statusCode === undefined || error.statusCode >= 500 ? appErrors.INTERNAL() : appErrors.NOT_FOUND()
    if (refusal.status >= 500) request.log.error({ err: errorFacts(error), requestId: request.id }, 'a request failed')
    const wire = toWireError(refusal, languageOf(request), request.id, translate)
    reply.raw.writeHead(refusal.status, {
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
    reply.raw.end(JSON.stringify(wire))
  }
