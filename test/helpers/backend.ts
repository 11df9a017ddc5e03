import { mkdtempSync, rmSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FastifyInstance, InjectOptions, LightMyRequestResponse } from 'fastify'
import { pino } from 'pino'
import { buildApp } from '#server/app.ts'
import type { ResolveTxt } from '#server/identity/auth/sso/domain.ts'
import { readConfig } from '#server/platform/config/config.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { refusalStatusesOf } from '#server/platform/http/plugins/openapi-document.ts'
import type { RateLimits } from '#server/platform/http/plugins/rate-limit.ts'
import { errorFacts } from '#server/platform/log/redact.ts'
import { openFileStorages } from '#server/platform/storage/open.ts'
import { type Backend, compose } from '#server/wiring.ts'
import { api } from '#shared/api.ts'
import { testSecret } from './actors.ts'
import { type HandClock, handClock } from './clock.ts'
import { freshDatabases } from './db.ts'
import { i18n } from './i18n.ts'

interface BackendOptions {
  /** Absent: a clock that stands still at the current time. */
  clock?: HandClock
  databases?: Databases
  env?: Record<string, string>
  /** Browsers' push services. Absent: they answer that it should be tried later. */
  pushFetch?: typeof fetch
  /** The DNS. Absent: it has no entries. */
  resolveTxt?: ResolveTxt
  /** Makes the nightly backups. Absent: there are none. */
  takeSnapshot?: Parameters<typeof compose>[0]['takeSnapshot']
  /** Calls a minute of one caller. Absent: a limit that no test reaches. */
  limits?: RateLimits
}

export interface LoggedLine {
  readonly level: number
  readonly msg: string
  readonly [fact: string]: unknown
}

/** The whole backend without its pages, built as in `server/main.ts`, on a database of its own. */
export interface TestBackend {
  /** The result of `compose`: all features and the parts they share. */
  readonly parts: Backend
  readonly app: FastifyInstance
  readonly databases: Databases
  readonly clock: HandClock
  readonly dataDir: string
  /** Its address on this machine. */
  readonly url: string
  /** Log lines of level `warn` and above. */
  readonly lines: LoggedLine[]
  /** Log lines of level `error`. A test that expects none compares this with `[]`. */
  errors(): LoggedLine[]
  inject(options: InjectOptions): Promise<LightMyRequestResponse>
  /**
   * Resolves when all work has ended: webhooks are applied, messages are sent, the simulator is idle, and API calls are
   * recorded.
   */
  settle(): Promise<void>
  close(): Promise<void>
}

const declaredIn = (contracts: Backend['contracts']) =>
  Object.values(contracts)
    .flatMap(endpoints => Object.values(endpoints))
    .map(endpoint => ({
      endpoint,
      pattern: new RegExp(`^/api${endpoint.path.replace(/:\w+/g, '[^/]+')}$`),
      statuses: refusalStatusesOf(endpoint),
    }))
    // Addresses without parameters first, because they can match patterns with one.
    .sort((a, b) => Number(a.endpoint.path.includes(':')) - Number(b.endpoint.path.includes(':')))
/** Most backends have the contracts of `shared/api.ts`. */
const usual = declaredIn(api)

/** Fails if a call answers with a status that its contract does not declare. */
const expectDeclared = (
  { method = 'GET', url, path = url }: InjectOptions,
  status: number,
  contracts: Backend['contracts'],
) => {
  if (status < 400 || typeof path !== 'string') return
  const address = path.split('?')[0] as string
  const declared = contracts === api ? usual : declaredIn(contracts)
  const known = declared.find(one => one.endpoint.method === method && one.pattern.test(address))
  if (known && !known.statuses.has(status))
    throw new Error(`${method} ${known.endpoint.path} answers ${status}, which its contract does not declare`)
}

const noLimits: RateLimits = { reads: 1e9, writes: 1e9, accountWrites: 1e9, writesOfOrg: 1e9 }

/**
 * Tests move the clock, so that nothing happens by itself. The simulator's webhooks are injected; its Graph API is
 * called over the loopback, as in production.
 */
export async function startBackend(
  t: { teardown(end: () => Promise<void>): void },
  options: BackendOptions = {},
): Promise<TestBackend> {
  const dataDir = mkdtempSync(join(tmpdir(), 'recado-backend-'))
  const config = readConfig({
    DATA_DIR: dataDir,
    AUTH_SECRET: testSecret,
    // Nothing listens there, so that no test calls Meta by accident.
    GRAPH_URL: 'http://127.0.0.1:9',
    ...options.env,
  })
  const databases = options.databases ?? (await freshDatabases())
  const clock = options.clock ?? handClock(new Date().toISOString())
  const lines: LoggedLine[] = []
  const log = pino(
    { level: 'warn', serializers: { err: errorFacts } },
    { write: line => void lines.push(JSON.parse(line)) },
  )
  let url = ''
  const backend: Backend = compose({
    config,
    databases,
    log,
    clock,
    i18n,
    storages: await openFileStorages(config),
    selfUrl: () => url,
    outboundFetch: options.pushFetch ?? (async () => new Response(null, { status: 429 })),
    resolveTxt: options.resolveTxt ?? (async () => []),
    ...(options.takeSnapshot ? { takeSnapshot: options.takeSnapshot } : {}),
    deliver: async (path, body, headers) =>
      (await app.inject({ method: 'POST', url: path, headers, payload: body })).statusCode,
  })
  const rates = { limits: options.limits ?? noLimits }
  const app = await buildApp({ ...backend, ...rates }, { logger: log })
  await app.listen({ host: '127.0.0.1', port: 0 })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
  backend.start()

  let open = true
  const close = async () => {
    if (!open) return
    open = false
    await app.close()
    await backend.stop()
    if (!options.databases) await databases.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
  t.teardown(close)
  return {
    parts: backend,
    app,
    databases,
    clock,
    dataDir,
    get url() {
      return url
    },
    lines,
    errors: () => lines.filter(line => line.level >= 50),
    async inject(options) {
      const answer = await app.inject(options)
      expectDeclared(options, answer.statusCode, backend.contracts)
      return answer
    },
    async settle() {
      // Each can cause work for the next one. After two rounds nothing is due.
      for (let round = 0; round < 2; round += 1) {
        await backend.jobs.idle()
        await backend.derive.drain()
        await backend.jobs.idle()
      }
      await backend.callRecorder.flush()
    },
    close,
  }
}
