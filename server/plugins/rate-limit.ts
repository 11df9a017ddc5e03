import { isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Clock } from '../clock.ts'
import { appErrors } from '../errors.ts'

export interface RateLimits {
  /** Calls a minute of one person, of one API key, or of one address when it is neither. */
  readonly reads: number
  readonly writes: number
}

/** Far above a busy person with several tabs; low enough that one runaway script is felt by its owner only. */
const defaultRateLimits: RateLimits = { reads: 3000, writes: 1200 }

interface Bucket {
  tokens: number
  at: number
}

/** More callers than this within a minute: the ones that have waited longest start anew. */
const maxBuckets = 50_000

/** A home network has a whole /64 of addresses. */
const networkOf = (address: string): string =>
  isIPv6(address) && !address.includes('.') ? `${expand(address).slice(0, 4).join(':')}::` : address

const expand = (address: string): string[] => {
  const [head = '', tail] = address.split('%')[0]?.split('::') ?? ['']
  const left = head.split(':').filter(Boolean)
  const right = tail?.split(':').filter(Boolean) ?? []
  return [...left, ...Array<string>(Math.max(0, 8 - left.length - right.length)).fill('0'), ...right].map(group =>
    group.padStart(4, '0'),
  )
}

/**
 * Bounds the calls of one caller in this process. A full bucket may be emptied at once and fills steadily. Sign-in has
 * limits of its own, streams have their number; webhooks are not limited: Meta would repeat them.
 *
 * @throws APP_TOO_MANY_REQUESTS with the time to the next free call.
 */
export function installRateLimit(
  app: FastifyInstance,
  { clock, limits = defaultRateLimits }: { clock: Clock; limits?: RateLimits },
): void {
  const buckets = new Map<string, Bucket>()

  const take = (key: string, perMinute: number): number => {
    const now = clock.now().getTime()
    const perMs = perMinute / 60_000
    const bucket = buckets.get(key)
    const since = bucket ? Math.max(0, now - bucket.at) : 0
    const tokens = bucket ? Math.min(perMinute, bucket.tokens + since * perMs) : perMinute
    buckets.delete(key)
    buckets.set(key, { tokens: tokens >= 1 ? tokens - 1 : tokens, at: now })
    if (buckets.size > maxBuckets) buckets.delete(buckets.keys().next().value as string)
    return tokens >= 1 ? 0 : (1 - tokens) / perMs
  }

  const isLimited = (request: FastifyRequest) => {
    const url = request.routeOptions.url ?? request.url
    return url.startsWith('/api/') && !url.startsWith('/api/auth/')
  }

  const whoOf = ({ caller, ip }: FastifyRequest) => {
    if (typeof caller?.key === 'object') return `k ${caller.key.keyId}`
    return caller?.person ? `u ${caller.person.userId}` : `a ${networkOf(ip)}`
  }

  app.addHook('onRequest', async request => {
    if (!isLimited(request)) return
    const who = whoOf(request)
    const reads = request.method === 'GET' || request.method === 'HEAD' || request.method === 'OPTIONS'
    const waitMs = take(`${who} ${reads ? 'r' : 'w'}`, reads ? limits.reads : limits.writes)
    if (waitMs > 0) throw appErrors.TOO_MANY_REQUESTS({ retryAfterSeconds: waitMs / 1000 })
  })
}
