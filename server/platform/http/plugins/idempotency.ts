import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Db } from '#server/platform/db/database.ts'
import { type Databases, inTransaction } from '#server/platform/db/db.ts'
import type { Presence } from '#server/platform/jobs/lease.ts'
import type { Clock } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { idempotencyHours } from '#shared/kernel/limits.ts'
import { callerId, type OrgCaller, type Person, type Visitor } from '../actor.ts'
import { appErrors } from '../errors.ts'
import type { Once, OnceOwner } from '../http.ts'
import {
  deleteKeysBefore,
  findKey,
  type KeyOwner,
  type KeyUse,
  keepAnswer,
  type NewKeyUse,
  releaseKey,
  retakeKey,
  takeKey,
} from './idempotency-store.ts'

interface Idempotency {
  readonly once: Once
  /** Deletes expired keys in batches; returns how many. */
  prune(now?: Date): Promise<number>
}

interface IdempotencyParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly presence: Presence
}

/** A call that has not finished after this never will; its key may be taken over. */
const abandonedMs = 60_000
/** The same limit for a call of another live process, longer because its clock may differ. */
const abandonedElsewhereMs = 10 * 60_000
/** Pauses between attempts to store a call's answer. */
const againMs = [250, 1000, 3000, 8000, 20_000]
const keptMs = idempotencyHours * 60 * 60 * 1000
const pruneRows = 1000
const keyForm = /^[\x20-\x7e]{1,200}$/

/** Longer texts are replaced by their hash: serializing megabytes would block the event loop. */
const longText = 64 * 1024

/** Sorts keys, so that equal values have equal hashes. */
const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value === 'string' && value.length > longText)
    return createHash('sha256').update(value).digest('base64url')
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, sorted(inner)]),
  )
}

const hashOf = (content: unknown): string =>
  createHash('sha256')
    .update(JSON.stringify(sorted(content)))
    .digest('base64url')

/** Undefined: an anonymous caller, who has no keys. */
const ownerOf = (request: FastifyRequest): OnceOwner | undefined => {
  const actor = request.actor as Visitor | Person | OrgCaller
  if (!('kind' in actor)) return undefined
  const isMember = 'orgId' in actor
  return {
    orgId: isMember ? actor.orgId : '',
    caller: isMember ? callerId(actor) : actor.userId,
    content: [request.params, request.query, request.body ?? null],
  }
}

const keyOf = (request: FastifyRequest): string | undefined => {
  const header = request.headers['idempotency-key']
  if (header === undefined) return undefined
  if (typeof header !== 'string' || !keyForm.test(header)) throw appErrors.IDEMPOTENCY_KEY_INVALID()
  return header
}

/**
 * Runs a call once per `idempotency-key` of its caller: a repetition within 24 hours gets the first answer with
 * `idempotency-replayed: true`. A failed call releases its key.
 *
 * The key is committed before the call and the answer after it. If the process dies in between, a repetition takes the
 * key over once that process is known to be gone, and the call runs again. Effects that must not happen twice even then
 * are recognized by the service (a message by its `client_key`, which `mount` derives from the key).
 *
 * @throws APP_IDEMPOTENCY_KEY_INVALID, APP_IDEMPOTENCY_MISMATCH (other content or call), APP_IDEMPOTENCY_IN_PROGRESS
 */
export function createIdempotency({ databases, clock, presence }: IdempotencyParts): Idempotency {
  let lastAt = ''
  /** A unique time, which identifies the use of a key. */
  const mark = () => {
    let at = clock.now().toISOString()
    if (at <= lastAt) at = new Date(Date.parse(lastAt) + 1).toISOString()
    lastAt = at
    return at
  }

  /** Its process has died. A process without a name yet may be alive, and gets the minute. */
  const isGone = async (trx: Db, owner: string | null): Promise<boolean> =>
    owner === null || (owner !== '' && !(await presence.isAtWork(trx, owner)))

  const replay = (reply: FastifyReply, found: KeyUse) =>
    reply
      .status(found.status as number)
      .header('idempotency-replayed', 'true')
      .type('application/json; charset=utf-8')
      .serializer((body: unknown) => body as string)
      .send(found.body ?? '')

  /** True: we took the key. Otherwise the existing use. */
  const take = async (orgId: string, owner: KeyOwner, use: NewKeyUse) =>
    inTransaction(databases, async trx => {
      if (await takeKey(trx, orgId, owner, use)) return true
      const found = await findKey(trx, orgId, owner)
      if (!found) return takeKey(trx, orgId, owner, use)
      const age = clock.now().getTime() - Date.parse(found.createdAt)
      const expired = age >= keptMs
      const same = found.endpoint === use.endpoint && found.requestHash === use.requestHash
      const maxMs = found.owner === presence.id() ? abandonedMs : abandonedElsewhereMs
      const isAbandoned = async () => age >= maxMs || (await isGone(trx, found.owner))
      if (expired || (same && found.status === null && (await isAbandoned())))
        return retakeKey(trx, orgId, owner, found, use)
      if (!same) throw appErrors.IDEMPOTENCY_MISMATCH()
      if (found.status === null) throw appErrors.IDEMPOTENCY_IN_PROGRESS({ retryAfterSeconds: 1 })
      return found
    })

  /**
   * Writes the result of a call to its key. If the database fails, it keeps trying after the answer; otherwise each
   * repetition would get "in progress" for a minute.
   */
  const settle = async (request: FastifyRequest, write: (trx: Db) => Promise<void>) => {
    const endpoint = request.routeOptions.url
    const goOn = async () => {
      for (const [index, ms] of againMs.entries()) {
        await pause(ms, undefined, { ref: false })
        try {
          return await inTransaction(databases, write)
        } catch (error) {
          if (index === againMs.length - 1)
            request.log.error({ err: error, endpoint }, 'the key of a call stays in use until it counts as abandoned')
        }
      }
    }
    try {
      await inTransaction(databases, write)
    } catch (error) {
      request.log.warn({ err: error, endpoint }, 'the end of an idempotent call could not be written yet')
      void goOn()
    }
  }

  return {
    async once(request, reply, run, given) {
      const key = keyOf(request)
      const whose = key === undefined ? undefined : (given ?? ownerOf(request))
      if (key === undefined || !whose) return run()
      const { orgId, caller } = whose
      const owner = { caller, key }
      const at = mark()
      const endpoint = `${request.method} ${request.routeOptions.url ?? ''}`
      const taken = await take(orgId, owner, {
        endpoint,
        requestHash: hashOf(whose.content),
        at,
        owner: presence.id(),
      })
      if (taken !== true)
        return taken === false
          ? Promise.reject(appErrors.IDEMPOTENCY_IN_PROGRESS({ retryAfterSeconds: 1 }))
          : replay(reply, taken)
      let value: unknown
      try {
        value = await run()
      } catch (error) {
        await settle(request, trx => releaseKey(trx, orgId, owner, at))
        throw error
      }
      // Stored as sent: reduced to the reply's schema.
      const body = reply.serialize(value as Parameters<FastifyReply['serialize']>[0]) as string
      // The call has had its effect, so it answers even if this fails.
      await settle(request, trx => keepAnswer(trx, orgId, owner, at, { status: reply.statusCode, body }))
      return reply
        .type('application/json; charset=utf-8')
        .serializer((text: unknown) => text as string)
        .send(body)
    },
    async prune(now = clock.now()) {
      const before = new Date(now.getTime() - keptMs).toISOString()
      return inBatches(pruneRows, limit => inTransaction(databases, trx => deleteKeysBefore(trx, before, limit)))
    },
  }
}
