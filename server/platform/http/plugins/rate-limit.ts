import { isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Databases } from '#server/platform/db/db.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { appErrors } from '../errors.ts'

export interface RateLimits {
  /** Calls a minute of one person, API key, or address of anonymous callers. */
  readonly reads: number
  readonly writes: number
  /** Calls below `/api/auth/`, which people make by hand. */
  readonly accountWrites: number
  /** Writes of all callers of an organization together, because there is one writer for all organizations. */
  readonly writesOfOrg: number
}

/** Far above a busy person with several tabs, but low enough that a runaway script affects only its owner. */
export const defaultRateLimits: RateLimits = { reads: 3000, writes: 1200, accountWrites: 300, writesOfOrg: 24_000 }

/** Requests of browsers for files, and of monitoring, Meta and the simulator. */
const unlimited = ['/assets/', '/locales/', '/healthz', '/readyz', '/webhooks/', '/sandbox/']

interface Bucket {
  tokens: number
  at: number
  /** Calls that other processes have not been notified of. */
  unreported: number
}

/** With more callers than this within a minute, those idle longest are forgotten. */
const maxBuckets = 50_000

/**
 * Share of a limit that a caller may use per minute without a notification to other processes: each is a transaction on
 * PostgreSQL, which invalidates every process's cache. Hardly any caller uses so much.
 */
const unreportedShare = 1 / 4

/** `key perMinute calls number`: the number distinguishes two messages of one turn. */
const readWord = (word: string | undefined) => {
  const [, key, perMinute, calls] = /^(.+) (\d+) (\d+) \d+$/.exec(word ?? '') ?? []
  return key === undefined ? undefined : { key, perMinute: Number(perMinute), calls: Number(calls) }
}

/** A home network has a whole IPv6 /64. */
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
 * Limits the calls of one caller, and the writes of one organization, over all processes: each process counts its own,
 * and notifies the others of callers that use a quarter of a minute's limit. A token bucket: it may be emptied at once
 * and refills steadily. Pages count as reads. Sign-in and streams have limits of their own; webhooks have none, because
 * Meta would repeat them.
 *
 * @throws APP_TOO_MANY_REQUESTS with the time to the next allowed call
 */
export function installRateLimit(
  app: FastifyInstance,
  parts: { clock: Clock; databases: Pick<Databases, 'signals'>; limits?: RateLimits },
): void {
  const { clock, limits = defaultRateLimits } = parts
  const { signals } = parts.databases
  const buckets = new Map<string, Bucket>()
  let words = 0

  /** Refills the bucket and moves it to the end of the order of eviction. */
  const filled = (key: string, perMinute: number): Bucket => {
    const at = clock.now().getTime()
    const before = buckets.get(key)
    const since = before ? Math.max(0, at - before.at) : 0
    const tokens = before ? Math.min(perMinute, before.tokens + (since * perMinute) / 60_000) : perMinute
    const passed = (since * perMinute * unreportedShare) / 60_000
    const bucket = { tokens, at, unreported: Math.max(0, (before?.unreported ?? 0) - passed) }
    buckets.delete(key)
    buckets.set(key, bucket)
    if (buckets.size > maxBuckets) buckets.delete(buckets.keys().next().value as string)
    return bucket
  }

  const take = (key: string, perMinute: number): number => {
    const bucket = filled(key, perMinute)
    if (bucket.tokens < 1) return ((1 - bucket.tokens) * 60_000) / perMinute
    bucket.tokens -= 1
    if (!signals.isShared) return 0
    bucket.unreported += 1
    if (bucket.unreported >= perMinute * unreportedShare) {
      signals.send('budgets', `${key} ${perMinute} ${Math.ceil(bucket.unreported)} ${words}`)
      words += 1
      bucket.unreported = 0
    }
    return 0
  }

  signals.hear('budgets', word => {
    const spent = readWord(word)
    if (!spent) return
    const bucket = filled(spent.key, spent.perMinute)
    // All processes together may exceed the limit before they hear of each other; the deficit is at most a minute's
    // limit.
    bucket.tokens = Math.max(-spent.perMinute, bucket.tokens - spent.calls)
  })

  const isLimited = (request: FastifyRequest) => {
    const url = request.routeOptions.url ?? request.url
    return !unlimited.some(prefix => url.startsWith(prefix))
  }

  const whoOf = ({ caller, ip }: FastifyRequest) => {
    if (typeof caller?.key === 'object') return `k ${caller.key.keyId}`
    return caller?.person ? `u ${caller.person.userId}` : `a ${networkOf(ip)}`
  }

  const isAccountCall = (request: FastifyRequest) => (request.routeOptions.url ?? request.url).startsWith('/api/auth/')

  const isRead = ({ method }: FastifyRequest) => method === 'GET' || method === 'HEAD' || method === 'OPTIONS'

  const takeOrRefuse = (key: string, perMinute: number) => {
    const waitMs = take(key, perMinute)
    if (waitMs > 0) throw appErrors.TOO_MANY_REQUESTS({ retryAfterSeconds: waitMs / 1000 })
  }

  app.addHook('onRequest', async request => {
    if (!isLimited(request)) return
    if (isRead(request)) takeOrRefuse(`${whoOf(request)} r`, limits.reads)
    else if (isAccountCall(request)) takeOrRefuse(`${whoOf(request)} a`, limits.accountWrites)
    else takeOrRefuse(`${whoOf(request)} w`, limits.writes)
  })

  // After access was checked, because only then the organization is known.
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { actor } = request
    if (isRead(request) || !isLimited(request) || !actor || !('orgId' in actor)) return done(null, payload)
    try {
      takeOrRefuse(`o ${actor.orgId} w`, limits.writesOfOrg)
      done(null, payload)
    } catch (error) {
      done(error as Error)
    }
  })
}
