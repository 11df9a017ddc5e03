/**
 * What stands before every call, alone: the hook that says who is asking, and the member it finds. Asked, it goes
 * through so many requests and tells the processor time of each batch, a request at a time.
 */
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pino } from 'pino'
import { installSession } from '#server/identity/auth/sessions/session-plugin.ts'
import { readConfig } from '#server/platform/config/config.ts'
import { openDatabase } from '#server/platform/db/sqlite/open.ts'
import { compose } from '#server/wiring.ts'
import { answer } from '../parts/child.ts'

const config = readConfig(process.env)
const databases = openDatabase(config.databasePath)
const backend = compose({ config, databases, log: pino({ level: 'silent' }), selfUrl: () => 'http://127.0.0.1' })

type Hook = (request: FastifyRequest) => Promise<void>
const hooks: Hook[] = []
installSession(
  { decorateRequest() {}, addHook: (_name: string, hook: Hook) => hooks.push(hook) } as unknown as FastifyInstance,
  backend,
)

/** Who asks, as far as a route gets to know it. */
const authenticate = async (headers: Record<string, string>): Promise<string | undefined> => {
  const url = '/api/whatsapp/conversations'
  const request = { method: 'GET', url, headers, query: {}, routeOptions: { url } } as unknown as FastifyRequest
  for (const hook of hooks) await hook(request)
  return (await request.caller.member(undefined))?.orgId
}

interface Ask {
  readonly headers: readonly Record<string, string>[]
  readonly batches: number
  readonly each: number
}

/** Microseconds of one request, batch by batch: the clock of the processor is too coarse for one alone. */
answer('authenticate', async ({ headers, batches, each }: Ask) => {
  const micros: number[] = []
  let at = 0
  for (let batch = 0; batch < batches; batch += 1) {
    const before = process.cpuUsage()
    for (let i = 0; i < each; i += 1) {
      if ((await authenticate(headers[at % headers.length] as Record<string, string>)) === undefined)
        throw new Error('Somebody was not recognized')
      at += 1
    }
    const { user, system } = process.cpuUsage(before)
    micros.push((user + system) / each)
  }
  return micros
})
console.log('ready: http://127.0.0.1:1')
