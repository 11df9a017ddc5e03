import { once } from 'node:events'
import { type ClientRequest, request as httpRequest, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import Fastify, { type FastifyInstance } from 'fastify'
import { seesAll } from '#server/identity/visibility/scope.ts'
import type { LiveHub } from '#server/messaging/live/hub.ts'
import type { Sink } from '#server/messaging/live/reader.ts'
import { mountLive } from '#server/messaging/live/routes.ts'
import { createLiveService } from '#server/messaging/live/service.ts'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Caller } from '#server/platform/http/access.ts'
import type { Member, Person } from '#server/platform/http/actor.ts'
import { AppError } from '#server/platform/http/errors.ts'
import { mount } from '#server/platform/http/http.ts'
import type { OrgRole } from '#shared/kernel/permissions.ts'
import { liveApi } from '#shared/live/log.ts'

export interface Cast {
  orgId: string
  userId: string
  sessionId: string
  role: OrgRole
}

const at = '2026-11-20T12:00:00.000Z'
let born = 0

/** A new organization, inserted directly. */
export async function anOrg(databases: Databases, id = `org${++born}`): Promise<string> {
  await databases.write
    .insertInto('organization')
    .values({ id, name: id, slug: id, logo: null, createdAt: at, metadata: null })
    .execute()
  return id
}

/** A signed-in member of it. */
export async function aMember(databases: Databases, orgId: string, role: OrgRole = 'member'): Promise<Cast> {
  const id = ++born
  const userId = `u${id}`
  const sessionId = `s${id}`
  await databases.write
    .insertInto('user')
    .values({
      id: userId,
      name: userId,
      email: `${userId}@example.com`,
      emailVerified: 1,
      image: null,
      createdAt: at,
      updatedAt: at,
      role: null,
      banned: null,
      banReason: null,
      banExpires: null,
    })
    .execute()
  await databases.write
    .insertInto('session')
    .values({
      id: sessionId,
      userId,
      token: `t${id}`,
      expiresAt: '2030-01-01T00:00:00.000Z',
      createdAt: at,
      updatedAt: at,
      ipAddress: null,
      userAgent: null,
      activeOrganizationId: orgId,
      activeTeamId: null,
      impersonatedBy: null,
    })
    .execute()
  await databases.write
    .insertInto('member')
    .values({ id: `m${id}`, organizationId: orgId, userId, role, createdAt: at })
    .execute()
  return { orgId, userId, sessionId, role }
}

export const memberOf = (cast: Cast): Member => ({
  kind: 'person',
  scope: seesAll,
  userId: cast.userId,
  name: cast.userId,
  email: `${cast.userId}@example.com`,
  image: null,
  siteRole: 'user',
  sessionId: cast.sessionId,
  activeOrgId: cast.orgId,
  language: 'es',
  orgId: cast.orgId,
  orgSlug: cast.orgId,
  orgName: cast.orgId,
  role: cast.role,
})

/** Stores and publishes an event, as a service does. */
export async function tell(
  live: LiveHub,
  databases: Databases,
  orgId: string,
  numbers: readonly number[],
  audience?: string[],
) {
  const events = await inTransaction(databases, trx => record(live, trx, orgId, numbers, audience))
  live.publish(events)
  return events
}
export const record = (live: LiveHub, trx: Db, orgId: string, numbers: readonly number[], audience?: string[]) =>
  live.record(
    trx,
    orgId,
    numbers.map(n => ({ type: 'human' as const, data: { message: `m${n}`, number: String(n) }, audience })),
  )

export interface Block {
  id?: string
  data?: { event: string; data: Record<string, unknown> }
  retry?: string
}

/** Parses a stream's text as the SSE standard says. */
export const readBlocks = (text: string): Block[] =>
  text
    .split('\n\n')
    .slice(0, -1)
    .map(part => {
      const block: Block = {}
      for (const line of part.split('\n')) {
        if (line.startsWith('id: ')) block.id = line.slice(4)
        if (line.startsWith('data: ')) block.data = JSON.parse(line.slice(6)) as NonNullable<Block['data']>
        if (line.startsWith('retry: ')) block.retry = line.slice(7)
      }
      return block
    })

/** A reader controlled by the test: keeps what it gets and is as slow as told. */
export const handSink = () => {
  let text = ''
  const sink = {
    ended: false,
    destroyed: false,
    pending: 0,
    stalled: false,
    write(chunk: { body: Buffer; framed: Buffer }) {
      if (sink.stalled) sink.pending += chunk.framed.length
      text += chunk.body.toString()
    },
    drained: async () => {},
    end() {
      sink.ended = true
    },
    destroy() {
      sink.destroyed = true
    },
    get blocks() {
      return readBlocks(text)
    },
    get events() {
      return readBlocks(text).flatMap(block =>
        block.data ? [{ id: block.id === undefined ? undefined : Number(block.id), ...block.data }] : [],
      )
    },
    /** Event numbers in order of arrival. */
    get ids() {
      return sink.events.flatMap(event => (event.id === undefined ? [] : [event.id]))
    },
  }
  return sink satisfies Sink & Record<string, unknown>
}

/** Waits for a condition, without a limit, because the machine may be slow. */
export async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await new Promise(resolve => setTimeout(resolve, 2))
}

/** A server with the live routes; the header `x-user` names the caller. */
export async function serve(
  databases: Databases,
  live: LiveHub,
  cast: readonly Cast[],
): Promise<{ app: FastifyInstance; port: number }> {
  const app = Fastify({ forceCloseConnections: true })
  app.decorateRequest('caller')
  app.decorateRequest('actor')
  app.addHook('onRequest', async request => {
    const mine = cast.filter(one => one.userId === request.headers['x-user'])
    const person = mine[0] ? (memberOf(mine[0]) as Person) : null
    const caller: Caller = {
      language: 'es',
      person,
      member: async org => mine.filter(one => one.orgId === (org ?? person?.activeOrgId)).map(memberOf)[0],
    }
    request.caller = caller
  })
  app.setErrorHandler((error, _request, reply) => {
    const known = error instanceof AppError ? error : undefined
    return reply.status(known?.status ?? 500).send({ code: known?.code ?? String(error) })
  })
  mount(app, 'live', liveApi, createLiveService({ databases }), (_request, _reply, run) => run())
  app.post('/api/auth/sign-out', async request => {
    const userId = String(request.headers['x-user'])
    await databases.write.deleteFrom('session').where('userId', '=', userId).execute()
    return { success: true }
  })
  mountLive(app, { live })
  await app.listen({ port: 0, host: '127.0.0.1' })
  return { app, port: (app.server.address() as AddressInfo).port }
}

export interface Listener {
  response: IncomingMessage
  request: ClientRequest
  text(): string
  ids(): number[]
  closed: Promise<unknown>
}

/** Opens a stream over HTTP. */
export async function listen(port: number, path: string, headers: Record<string, string>): Promise<Listener> {
  const request = httpRequest({ port, host: '127.0.0.1', path, headers, agent: false })
  request.on('error', () => {})
  request.end()
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  response.setEncoding('utf8').on('data', part => {
    text += part
  })
  response.on('error', () => {})
  return {
    request,
    response,
    text: () => text,
    ids: () => readBlocks(text).flatMap(block => (block.data && block.id ? [Number(block.id)] : [])),
    closed: new Promise(resolve => response.once('close', resolve)),
  }
}
