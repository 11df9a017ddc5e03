import type { FastifyRequest } from 'fastify'
import { parseExact } from '#server/platform/text/json.ts'
import { bodyLimitBytes, bodyLimitValues } from '#shared/kernel/limits.ts'
import { asObject, asText, type Json } from '../scalars.ts'

export const defaultVersion = 'v25.0'
const oldestVersion = 'v21.0'

/** Expired versions are served by the oldest supported one. */
export const servedVersion = (asked: string | undefined): string =>
  asked === undefined ? defaultVersion : Number(asked.slice(1)) < Number(oldestVersion.slice(1)) ? oldestVersion : asked

export const splitPath = (path: string): { version: string | undefined; path: string[] } => {
  const parts = path.split('/').filter(Boolean)
  return /^v\d+\.\d+$/.test(parts[0] ?? '')
    ? { version: parts[0], path: parts.slice(1) }
    : { version: undefined, path: parts }
}

const ampersand = '&'.charCodeAt(0)

const countFields = (form: Buffer): number => {
  let fields = 1
  for (const byte of form) if (byte === ampersand) fields += 1
  return fields
}

/** JSON or a form. An unreadable or too large body counts as empty, as at Meta. */
export const readBody = ({ body, headers }: FastifyRequest): Json => {
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

export const tokenOf = (request: FastifyRequest, query: Json): string | undefined =>
  /^(?:Bearer|OAuth)\s+(\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? asText(query.access_token)

/** The path at which the plugin is mounted. */
export const mountOf = (request: FastifyRequest): string => (request.routeOptions.url ?? '').replace(/\/\*$/, '')
