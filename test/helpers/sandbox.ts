import Fastify, { type FastifyInstance } from 'fastify'
import { newId } from '#server/platform/crypto/ids.ts'
import { createVault, type Vault } from '#server/platform/crypto/secrets.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import { createListeners } from '#server/platform/events/listeners.ts'
import { createWrites } from '#server/platform/events/writes.ts'
import type { Member } from '#server/platform/http/actor.ts'
import { createJobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import { createSandbox, type Provisioned, type Sandbox } from '#server/simulator/sandbox.ts'
import { aMember, testSecret } from './actors.ts'
import { type HandClock, handClock } from './clock.ts'
import { freshDatabases } from './db.ts'

/** A webhook that the simulator delivered. */
export interface Delivered {
  path: string
  raw: Buffer
  headers: Record<string, string>
  // biome-ignore lint/suspicious/noExplicitAny: tests look into Meta's JSON
  json: any
}

export interface SandboxBench {
  databases: Databases
  clock: HandClock
  vault: Vault
  sandbox: Sandbox
  app: FastifyInstance
  number: Provisioned
  member: Member
  connectionId: string
  /** In the order of delivery. */
  delivered: Delivered[]
  /** Sets the status with which the product's webhook answers. */
  answer(status: number | (() => Promise<number>)): void
  aged: { orgId: string; ms: number }[]
  errors: unknown[]
  /** Sends to the simulated Graph API as the connected number. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  post(body: unknown, path?: string): Promise<{ status: number; headers: Record<string, unknown>; json: any }>
  // biome-ignore lint/suspicious/noExplicitAny: as above
  get(path: string): Promise<{ status: number; headers: Record<string, unknown>; json: any }>
  /** Resolves when everything that is due has run. */
  idle(): Promise<void>
  /** Ends the process and starts another on the same database. */
  restart(): Promise<void>
}

const quietLog = (errors: unknown[]): Log => {
  const log = { debug() {}, info() {}, warn() {}, error: (facts: unknown) => errors.push(facts), child: () => log }
  return log as unknown as Log
}

/** Inserts the product's connection to a provisioned number, as the numbers feature would. */
export async function plantConnection(
  databases: Databases,
  orgId: string,
  number: Provisioned,
  kind = 'sandbox',
): Promise<string> {
  const id = newId()
  const at = '2026-11-20T12:00:00.000Z'
  await databases.write
    .insertInto('wa_connection')
    .values({
      id,
      org_id: orgId,
      kind: kind as 'sandbox',
      phone_number_id: number.phoneNumberId,
      waba_id: number.wabaId,
      phone: number.phone,
      verified_name: number.verifiedName,
      access_token_sealed: 'x',
      app_secret_sealed: 'x',
      verify_token_sealed: 'x',
      status: 'connected',
      status_reason: null,
      last_webhook_at: null,
      created_at: at,
      updated_at: at,
    })
    .execute()
  return id
}

/** A connected simulator that collects its webhooks in an array, with a clock that the test moves. */
export async function sandboxBench(
  t: { teardown(end: () => Promise<void>): void },
  options: { databases?: Databases; start?: string } = {},
): Promise<SandboxBench> {
  const databases = options.databases ?? (await freshDatabases())
  const clock = handClock(options.start)
  const vault = createVault(testSecret)
  const delivered: Delivered[] = []
  const aged: { orgId: string; ms: number }[] = []
  const errors: unknown[] = []
  let answer: number | (() => Promise<number>) = 200
  const log = quietLog(errors)
  const writes = createWrites({ databases, log, listeners: createListeners() })
  const make = () => {
    const jobs = createJobs({ databases, writes, clock, log, ids: newId })
    const sandbox = createSandbox({
      jobs,
      databases,
      clock,
      vault,
      log,
      deliver: async (path, raw, headers) => {
        delivered.push({ path, raw, headers, json: JSON.parse(raw.toString()) })
        return typeof answer === 'number' ? answer : answer()
      },
      tokenOf: async () => number.accessToken,
      agePast: async (orgId, _connectionId, ms) => {
        aged.push({ orgId, ms })
      },
    })
    jobs.start()
    return { jobs, sandbox }
  }
  const first = make()
  const { sandbox } = first
  let { jobs } = first
  const { member } = await aMember({ databases })
  const number = await inTransaction(databases, trx => sandbox.provision(trx, member.orgId))
  const connectionId = await plantConnection(databases, member.orgId, number)
  await sandbox.bind(member.orgId, connectionId)
  const app = Fastify()
  await app.register(sandbox.graph, { prefix: '/sandbox/graph' })

  const call = async (method: 'GET' | 'POST', path: string, body?: unknown) => {
    const reply = await app.inject({
      method,
      url: `/sandbox/graph/v25.0/${path}`,
      headers: {
        authorization: `Bearer ${number.accessToken}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { payload: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const isJson = String(reply.headers['content-type']).includes('json')
    return { status: reply.statusCode, headers: reply.headers, json: isJson ? reply.json() : undefined }
  }
  t.teardown(async () => {
    sandbox.stop()
    await jobs.stop()
    await app.close()
    if (!options.databases) await databases.close()
  })
  return {
    databases,
    clock,
    vault,
    sandbox,
    app,
    number,
    member,
    connectionId,
    delivered,
    aged,
    errors,
    answer: next => {
      answer = next
    },
    post: (body, path = `${number.phoneNumberId}/messages`) => call('POST', path, body),
    get: path => call('GET', path),
    idle: () => jobs.idle(),
    async restart() {
      await jobs.stop()
      jobs = make().jobs
    },
  }
}

/** A text as the product would send it. */
export const textTo = (to: string, body = 'Hola', more: object = {}) => ({
  messaging_product: 'whatsapp',
  recipient_type: 'individual',
  to,
  type: 'text',
  text: { body },
  ...more,
})
