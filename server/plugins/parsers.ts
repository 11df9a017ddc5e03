import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { bodyLimitBytes, webhookLimitBytes } from '#shared/limits.ts'
import { appErrors } from '../errors.ts'

/** Deeper than any of our bodies; readers that recurse would run out of stack on a megabyte of brackets. */
const deepestJson = 64

const [quote, backslash, openBrace, openBracket, closeBrace, closeBracket] = [...'"\\{[}]'].map(c => c.charCodeAt(0))

const isTooDeep = (json: Buffer): boolean => {
  let depth = 0
  let inText = false
  for (let i = 0; i < json.length; i += 1) {
    const byte = json[i]
    if (inText) {
      if (byte === backslash) i += 1
      else if (byte === quote) inText = false
    } else if (byte === quote) inText = true
    else if (byte === openBrace || byte === openBracket) {
      depth += 1
      if (depth > deepestJson) return true
    } else if (byte === closeBrace || byte === closeBracket) depth -= 1
  }
  return false
}

/** JSON is UTF-8; another charset would be read as something it is not. @see RFC 8259 §8.1 */
const otherCharset = /charset\s*=\s*"?(?!utf-?8\b)[^;"\s]/i

/**
 * Bodies of the calls: JSON and nothing else (415), in UTF-8, of bounded size and depth. `__proto__` and
 * `constructor.prototype` are refused, not dropped.
 */
export function installParsers(app: FastifyInstance): void {
  const parseJson = app.getDefaultJsonParser('error', 'error')
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: bodyLimitBytes },
    (request, body, done) => {
      if (otherCharset.test(request.headers['content-type'] ?? '')) done(appErrors.WRONG_CONTENT_TYPE())
      else if (!isUtf8(body)) done(appErrors.BAD_TEXT())
      else if (isTooDeep(body)) done(appErrors.BAD_JSON())
      else parseJson(request, body.toString('utf8'), done)
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
