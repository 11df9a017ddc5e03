import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { measureJson } from '#server/platform/text/json.ts'
import { loopTurn } from '#server/platform/work/loop-turn.ts'
import { anonymousLimitValues, bodyLimitBytes, bodyLimitValues, webhookLimitBytes } from '#shared/kernel/limits.ts'
import { isSomebody } from '../access.ts'
import { type AppError, appErrors } from '../errors.ts'

/** Deeper than any of our bodies; readers that recurse would run out of stack on a megabyte of brackets. */
const deepestJson = 64

/** JSON is UTF-8; another charset would be read as something it is not. @see RFC 8259 §8.1 */
const otherCharset = /charset\s*=\s*"?(?!utf-?8\b)[^;"\s]/i

/** A file in base64, not a form. */
const largeBytes = 512 * 1024

const mostValues = (request: FastifyRequest): number => {
  if (!request.caller || !isSomebody(request.caller)) return anonymousLimitValues
  return request.routeOptions.config.endpoint?.bodyValues ?? bodyLimitValues
}

/** Programs name the type of every call, also of one that takes no body and has none. */
const isRightlyEmpty = (request: FastifyRequest, body: Buffer): boolean => {
  const { endpoint } = request.routeOptions.config
  return body.length === 0 && endpoint !== undefined && endpoint.body === undefined
}

/**
 * Why a body is refused before it is parsed: parsing, checking and naming the faults of a megabyte of brackets would
 * hold everybody else.
 */
const faultOf = (request: FastifyRequest, body: Buffer): AppError | undefined => {
  if (otherCharset.test(request.headers['content-type'] ?? '')) return appErrors.WRONG_CONTENT_TYPE()
  if (!isUtf8(body)) return appErrors.BAD_TEXT()
  return shapeFaultOf(request, body)
}

/** The same of JSON that came as a field of a form. */
export const shapeFaultOf = (request: FastifyRequest, body: Buffer): AppError | undefined => {
  const most = mostValues(request)
  const { values, depth } = measureJson(body, most)
  if (depth > deepestJson) return appErrors.BAD_JSON()
  if (values > most) return appErrors.TOO_LARGE()
  return undefined
}

/** The same that is refused of small bodies, which Fastify looks for in the text: that reads megabytes twice more. */
const hasForbiddenKey = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (Object.hasOwn(value, '__proto__')) return true
  const made = Object.hasOwn(value, 'constructor') ? Object(value.constructor) : {}
  if (Object.hasOwn(made, 'prototype')) return true
  return Object.values(value).some(hasForbiddenKey)
}

/** Counting, reading, parsing and checking megabytes each fill a turn by themselves. */
const parseLarge = async (body: Buffer): Promise<unknown> => {
  await nextTurn()
  const text = body.toString('utf8')
  await nextTurn()
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw appErrors.BAD_JSON()
  }
  await nextTurn()
  if (hasForbiddenKey(value)) throw appErrors.BAD_JSON()
  return value
}

/**
 * Bodies of the calls: JSON and nothing else (415), in UTF-8, of bounded size, count and depth. `__proto__` and
 * `constructor.prototype` are refused, not dropped.
 */
export function installParsers(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: bodyLimitBytes },
    (request, body, done) => {
      if (isRightlyEmpty(request, body)) return done(null, undefined)
      const fault = faultOf(request, body)
      if (fault) return done(fault)
      if (body.length <= largeBytes) return parseJson(request, body.toString('utf8'), done)
      parseLarge(body).then(
        value => {
          // From here on: the first who asks behind the check finds the turn long.
          void loopTurn.comeIn()
          done(null, value)
        },
        error => done(error),
      )
    },
  )
}

/** In a scope of webhooks: whatever they call it, the body is its bytes, for the signature and the journal. */
export function acceptRaw(scope: FastifyInstance, limit = webhookLimitBytes): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser<Buffer>('*', { parseAs: 'buffer', bodyLimit: limit }, (_request, body, done) =>
    done(null, body),
  )
}
