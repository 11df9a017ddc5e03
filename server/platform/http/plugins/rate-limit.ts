import { isIPv6 } from 'node:net'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Databases } from '#server/platform/db/db.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { appErrors } from '../errors.ts'

export interface RateLimits {
  /** Calls a minute of one person, of one API key, or of one address when it is neither. */
  readonly reads: number
  readonly writes: number
  /** Of those below `/api/auth/`, which people make by hand. */
  readonly accountWrites: number
  /** Writes of all callers of an organization together, which share one writer with everybody else's. */
  readonly writesOfOrg: number
}

/** Far above a busy person with several tabs; low enough that one runaway script is felt by its owner only. */
export const defaultRateLimits: RateLimits = { reads: 3000, writes: 1200, accountWrites: 300, writesOfOrg: 24_000 }

/** What files and machines ask for: built parts of pages, the state of the process, Meta, the simulator of it. */
const unlimited = ['/assets/', '/locales/', '/healthz', '/readyz', '/webhooks/', '/sandbox/']

interface Bucket {
  tokens: number
  at: number
  /** Calls that the other processes have not been told of. */
  unreported: number
}

/** More callers than this within a minute: the ones that have waited longest start anew. */
const maxBuckets = 50_000

/**
 * So much of a budget may be used in a minute and nobody is told: a word is a transaction of PostgreSQL's, after which
 * every process takes its remembered answers for old. Hardly anybody ever uses so much.
 */
const unreportedShare = 1 / 4

/** `key perMinute calls number`: the number keeps two words of one turn apart. */
const readWord = (word: string | undefined) => {
  const [, key, perMinute, calls] = /^(.+) (\d+) (\d+) \d+$/.exec(word ?? '') ?? []
  return key === undefined ? undefined : { key, perMinute: Number(perMinute), calls: Number(calls) }
}

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
 * Bounds the calls of one caller, and the writes of one organization, over all processes: each counts its own, and tells
 * the others of whoever uses a quarter of a minute's. A full bucket may be emptied at once and fills steadily.
 * Pages count as reads. Sign-in has limits of its own beside, streams have their number; webhooks are not limited: Meta would repeat them.
 *
 * @throws APP_TOO_MANY_REQUESTS with the time to the next free call.
 */
export function installRateLimit(
  app: FastifyInstance,
  parts: { clock: Clock; databases: Pick<Databases, 'signals'>; limits?: RateLimits },
): void {
  const { clock, limits = defaultRateLimits } = parts
  const { signals } = parts.databases
  const buckets = new Map<string, Bucket>()
  let words = 0

  /** As it stands now, behind all others in the order in which they are forgotten. */
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
    // All processes together may have been faster than their words; that is made good within a minute.
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

  // After the route has let somebody in: until then nobody knows for which organization.
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
