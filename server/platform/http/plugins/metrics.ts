import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import type { Registry } from 'prom-client'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { appErrors } from '../errors.ts'

/** Scrapers within this time share one count of the queues. */
const sharedMs = 1000

interface MetricsParts {
  /** Absent: there is no `/metrics`. */
  readonly config: { readonly metricsToken: string | undefined }
  readonly clock: Clock
  readonly jobs: Pick<Jobs, 'health' | 'processes'>
  readonly live: { readonly streams: number }
  /** Size of the database. */
  databaseBytes(): Promise<number>
  freeBytes(): Promise<number>
  /** State of WhatsApp's webhooks that are stored and not yet applied. */
  journalState(): Promise<{ oldestAt: string | undefined; putAside: Readonly<Record<string, number>> }>
}

const digest = (text: string) => createHash('sha256').update(text).digest()

/** Compares digests, so that the time tells neither the length of the token nor where it differs. */
const isToken = (header: string | undefined, token: string): boolean => {
  const [, given = ''] = /^Bearer +(\S+)$/i.exec(header ?? '') ?? []
  return timingSafeEqual(digest(given), digest(token))
}

/**
 * `/metrics` for Prometheus, where the operator has set a token. Labels are routes, kinds of jobs and states, never an
 * organization or a customer. Call it on the outermost instance, before routes are added.
 */
export async function installMetrics(app: FastifyInstance, parts: MetricsParts): Promise<void> {
  const token = parts.config.metricsToken
  if (token === undefined) return
  // Loaded here, because most installations have no scraper.
  const { Counter, collectDefaultMetrics, Gauge, Registry } = await import('prom-client')
  const registry = new Registry()
  collectDefaultMetrics({ register: registry })
  const registers = [registry]
  const requests = new Counter({
    name: 'recado_http_requests_total',
    help: 'Answered requests by method, route and class of status.',
    labelNames: ['method', 'route', 'status'],
    registers,
  })
  const seconds = new Counter({
    name: 'recado_http_request_seconds_total',
    help: 'Time from request to answer, summed by method and route; event streams count when they end.',
    labelNames: ['method', 'route'],
    registers,
  })
  app.addHook('onResponse', (request, reply, done) => {
    const { method } = request
    // An address of no route may be anything, also a customer's number.
    const route = request.routeOptions.url ?? 'none'
    requests.inc({ method, route, status: `${Math.floor(reply.statusCode / 100)}xx` })
    seconds.inc({ method, route }, reply.elapsedTime / 1000)
    done()
  })

  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name: `recado_${name}`, help, labelNames, registers })
  const counted = gauge('jobs', 'Jobs by kind and state, up to ten thousand each.', ['kind', 'state'])
  const late = gauge('job_oldest_seconds', 'How long the oldest due job of a kind has waited; 0: none waits.', ['kind'])
  const journal = gauge('webhooks_oldest_seconds', "How long the oldest of WhatsApp's webhooks waits to be applied.")
  const putAside = gauge('webhooks_put_aside', "WhatsApp's webhooks that were put aside, by reason.", ['reason'])
  const processes = gauge('processes', 'Live processes on this database.')
  const streams = gauge('event_streams', 'Open event streams of this process.')
  const databaseBytes = gauge('database_bytes', 'Size of the database.')
  const freeBytes = gauge('disk_free_bytes', 'Free bytes on the disk of the database, or of files where it has none.')

  /** Reads what is counted in the database. */
  const refresh = async (): Promise<void> => {
    const now = parts.clock.now().getTime()
    const since = (at: string | null | undefined) => (at ? Math.max(0, (now - Date.parse(at)) / 1000) : 0)
    const [kinds, webhooks, size, free] = await Promise.all([
      parts.jobs.health(),
      parts.journalState(),
      parts.databaseBytes(),
      parts.freeBytes(),
    ])
    for (const { kind, oldestDueAt, ...states } of kinds) {
      late.set({ kind }, since(oldestDueAt))
      for (const [state, count] of Object.entries(states)) counted.set({ kind, state }, count)
    }
    journal.set(since(webhooks.oldestAt))
    for (const [reason, count] of Object.entries(webhooks.putAside)) putAside.set({ reason }, count)
    databaseBytes.set(size)
    freeBytes.set(free)
  }
  let last: { at: number; done: Promise<void> } | undefined
  const refreshed = (): Promise<void> => {
    const now = parts.clock.now().getTime()
    if (!last || now < last.at || now - last.at >= sharedMs) last = { at: now, done: refresh() }
    return last.done
  }

  const print = async (of: Registry) => {
    await refreshed()
    processes.set(parts.jobs.processes())
    streams.set(parts.live.streams)
    return of.metrics()
  }
  app.get('/metrics', { logLevel: 'warn' }, async (request, reply) => {
    reply.header('cache-control', 'no-store')
    if (!isToken(request.headers.authorization, token)) {
      reply.header('www-authenticate', 'Bearer')
      throw appErrors.METRICS_TOKEN_REQUIRED()
    }
    return reply.type(registry.contentType).send(await print(registry))
  })
}
