import { isUtf8 } from 'node:buffer'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { measureJson } from '#server/platform/text/json.ts'
import { loopTurn } from '#server/platform/work/loop-turn.ts'
import { anonymousLimitValues, bodyLimitBytes, bodyLimitValues, webhookLimitBytes } from '#shared/kernel/limits.ts'
import { isIdentified } from '../access.ts'
import { type AppError, appErrors } from '../errors.ts'

/** Deeper than any of our bodies; recursive readers would overflow the stack on a megabyte of brackets. */
const deepestJson = 64

/** JSON is UTF-8; another charset would be read as something it is not. @see RFC 8259 §8.1 */
const otherCharset = /charset\s*=\s*"?(?!utf-?8\b)[^;"\s]/i

/** Such a body is a base64 file, not a form. */
const largeBytes = 512 * 1024

const maxValuesOf = (request: FastifyRequest): number => {
  if (!request.caller || !isIdentified(request.caller)) return anonymousLimitValues
  return request.routeOptions.config.endpoint?.bodyValues ?? bodyLimitValues
}

/** Many programs send a content type with every call, even without a body. */
const isRightlyEmpty = (request: FastifyRequest, body: Buffer): boolean => {
  const { endpoint } = request.routeOptions.config
  return body.length === 0 && endpoint !== undefined && endpoint.body === undefined
}

/** Checked before parsing: parsing and validating a megabyte of brackets would block the event loop. */
const faultOf = (request: FastifyRequest, body: Buffer): AppError | undefined => {
  if (otherCharset.test(request.headers['content-type'] ?? '')) return appErrors.WRONG_CONTENT_TYPE()
  if (!isUtf8(body)) return appErrors.BAD_TEXT()
  return shapeFaultOf(request, body)
}

/** The refusal of JSON with too many values, also in a form field. Undefined: it may be parsed. */
export const shapeFaultOf = (request: FastifyRequest, body: Buffer): AppError | undefined =>
  shapeFaultIn(body, maxValuesOf(request))

const shapeFaultIn = (body: Buffer, most: number): AppError | undefined => {
  const { values, depth } = measureJson(body, most)
  if (depth > deepestJson) return appErrors.BAD_JSON()
  if (values > most) return appErrors.TOO_LARGE()
  return undefined
}

/** Fastify refuses such a key in small bodies. It searches the text, which would read megabytes twice more. */
const hasForbiddenKey = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  if (Object.hasOwn(value, '__proto__')) return true
  const made = Object.hasOwn(value, 'constructor') ? Object(value.constructor) : {}
  if (Object.hasOwn(made, 'prototype')) return true
  return Object.values(value).some(hasForbiddenKey)
}

/** Each step over megabytes fills a turn of the event loop. */
const parseLarge = async (body: Buffer): Promise<unknown> => {
  await nextTurn()
  const text = body.toString('utf8')
  await nextTurn()
  const value = parseText(text)
  await nextTurn()
  if (hasForbiddenKey(value)) throw appErrors.BAD_JSON()
  return value
}

const parseText = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw appErrors.BAD_JSON()
  }
}

/**
 * Reads JSON from bytes that are short enough for one turn of the event loop, whatever their content type.
 * @throws APP_BAD_TEXT, APP_BAD_JSON, APP_TOO_LARGE
 */
export function readJson(body: Buffer, mostValues: number): unknown {
  if (!isUtf8(body)) throw appErrors.BAD_TEXT()
  const fault = shapeFaultIn(body, mostValues)
  if (fault) throw fault
  const value = parseText(body.toString('utf8'))
  if (hasForbiddenKey(value)) throw appErrors.BAD_JSON()
  return value
}

/**
 * Body parsers of the calls: JSON only (415), UTF-8, limited in size, values and depth. `__proto__` and
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
          // Marks the turn as long, so that the next request waits for another.
          void loopTurn.waitForNewTurn()
          done(null, value)
        },
        error => done(error),
      )
    },
  )
}

/** Leaves bodies as bytes in a scope of webhooks, whatever their type, because signature and journal need the bytes. */
export function acceptRaw(scope: FastifyInstance, limit = webhookLimitBytes): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser<Buffer>('*', { parseAs: 'buffer', bodyLimit: limit }, (_request, body, done) =>
    done(null, body),
  )
}
