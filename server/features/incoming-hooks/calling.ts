import { createHash } from 'node:crypto'
import type { Databases } from '#server/platform/db/db.ts'
import type { DomainEvent } from '#server/platform/events/domain.ts'
import { runInSavepoint } from '#server/platform/events/savepoint.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { type AppError, appErrors } from '#server/platform/http/errors.ts'
import { readJson } from '#server/platform/http/plugins/parsers.ts'
import { refusalIn } from '#server/platform/http/refusals.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { goodText } from '#server/platform/text/good-text.ts'
import { type Clock, isoIn, isoNow, monotonicMs } from '#server/platform/time/clock.ts'
import { type HookAction, type IncomingReply, incomingLimits } from '#shared/incoming-hooks/api.ts'
import { findByClientKey, insertCall, type StoredCall, trimCalls } from './call-store.ts'
import type { Doing, HookDone } from './doing.ts'
import { hookErrors } from './errors.ts'
import { countCall, findByHash, findHook, type HookTarget, type StoredHook } from './hook-store.ts'
import { type FilledAction, fillAction, inTheirWords } from './values.ts'
import { refusalToStore, replyOf } from './words.ts'

interface CallingParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
  readonly doing: Doing
  /** The number typed, with its country code; undefined if it is not a number. */
  readPhone(orgId: string, typed: string): Promise<string | undefined>
}

interface Given {
  readonly body: Buffer
  readonly clientKey?: string | undefined
  readonly replayOf?: string
}

const minuteMs = 60_000
/** 256 bits cannot be guessed, so a plain hash is enough to find the row and reveals nothing. */
export const hookSecretHash = (secret: string): string => createHash('sha256').update(secret).digest('base64url')

/** @throws APP_BAD_JSON, APP_BAD_TEXT, APP_TOO_LARGE */
export const readHookJson = (body: Buffer): unknown => readJson(body, incomingLimits.bodyValues)

const actorOfHook = ({ id, name }: Pick<StoredHook, 'id' | 'name'>) => ({ kind: 'key', id, name }) as const

/** A call that is ready to be done. */
interface Prepared {
  readonly filled: FilledAction
  readonly number: string
}

/** The part of an unreadable number that is repeated in the answer. */
const shownChars = 60

/** Runs the calls of incoming webhooks, and keeps a log of them. */
export function createCalling({ databases, clock, ids, writes, doing, readPhone }: CallingParts) {
  /** Before the transaction. @throws InvalidInput naming each field of the JSON */
  const prepare = async (orgId: string, action: HookAction, json: unknown): Promise<Prepared> => {
    const filled = fillAction(action, json)
    const number = await readPhone(orgId, filled.number)
    if (number !== undefined) return { filled, number }
    const params = { value: filled.number.slice(0, shownChars) }
    throw new InvalidInput([{ field: filled.sourceOf('number'), code: 'notANumber', params }])
  }

  const act = async (
    write: OrgWrite,
    hook: StoredHook,
    { filled, number }: Prepared,
    clientKey?: string,
  ): Promise<HookDone> => {
    try {
      return await doing(write, { hook, action: hook.action, filled, number, clientKey })
    } catch (error) {
      throw inTheirWords(error, filled)
    }
  }

  const refusalOr = (error: unknown): AppError => {
    const refusal = refusalIn(error)
    if (!refusal) throw error
    return refusal
  }

  /** Does it in a part of the write, which is undone if it fails. */
  const attempt = async (
    write: OrgWrite,
    hook: StoredHook,
    prepared: Prepared,
    clientKey: string | undefined,
  ): Promise<HookDone | AppError> => {
    const events: DomainEvent[] = []
    let done: HookDone | undefined
    const error = await runInSavepoint(write, async effects => {
      done = await act({ ...write, ...effects, emit: event => void events.push(event) }, hook, prepared, clientKey)
    })
    if (error !== undefined || !done) return refusalOr(error)
    for (const event of events) write.emit(event)
    return done
  }

  const record = async (
    { db, orgId }: OrgWrite,
    hook: StoredHook,
    { body, clientKey, replayOf }: Given,
    { outcome, startedAt }: { outcome: HookDone | AppError; startedAt: number },
  ): Promise<StoredCall> => {
    const isDone = 'did' in outcome
    const call: StoredCall = {
      id: ids(clock.now().getTime()),
      hook_id: hook.id,
      at: isoNow(clock),
      state: isDone ? 'done' : 'refused',
      outcome: isDone ? outcome : refusalToStore(outcome),
      number: isDone ? outcome.number : null,
      body: body.length > incomingLimits.keptBytes ? null : goodText(body.toString('utf8')),
      bytes: body.length,
      took_ms: Math.round(monotonicMs() - startedAt),
      client_key: isDone ? (clientKey ?? null) : null,
      replay_of: replayOf ?? null,
    }
    await insertCall(db, orgId, call)
    await trimCalls(db, orgId, hook.id, incomingLimits.callsKept)
    return call
  }

  /** @throws APP_TOO_MANY_REQUESTS */
  const count = async ({ db, orgId }: OrgWrite, id: string): Promise<void> => {
    const now = isoNow(clock)
    const limit = incomingLimits.callsPerMinute
    const freeAt = await countCall(db, orgId, { id, now, minuteEndsAt: isoIn(clock, minuteMs), limit })
    if (freeAt === undefined) return
    throw appErrors.TOO_MANY_REQUESTS({ retryAfterSeconds: (Date.parse(freeAt) - Date.parse(now)) / 1000 })
  }

  /** One commit for what it does and its line in the log; a refused call leaves only that line. */
  const run = async (orgId: string, hook: StoredHook, given: Given) => {
    const { body, clientKey } = given
    const prepared = await Promise.resolve()
      .then(() => prepare(orgId, hook.action, readHookJson(body)))
      .catch(refusalOr)
    return writes.run(orgId, actorOfHook(hook), async write => {
      const named = { hookId: hook.id, clientKey: clientKey ?? '' }
      const earlier = clientKey === undefined ? undefined : await findByClientKey(write.db, orgId, named)
      if (earlier) return { call: earlier, refusal: undefined }
      if (!(await findHook(write.db, orgId, hook.id))) throw hookErrors.ADDRESS_NOT_FOUND()
      await count(write, hook.id)
      const startedAt = monotonicMs()
      const outcome = 'filled' in prepared ? await attempt(write, hook, prepared, clientKey) : prepared
      const call = await record(write, hook, given, { outcome, startedAt })
      return { call, refusal: 'did' in outcome ? undefined : outcome }
    })
  }

  return {
    /** The hook of an address. @throws INCOMING_HOOKS_ADDRESS_NOT_FOUND, INCOMING_HOOKS_INACTIVE */
    async find(secret: string): Promise<HookTarget & { hook: StoredHook }> {
      const place = await findByHash(databases.read, hookSecretHash(secret))
      const hook = place && (await findHook(databases.read, place.orgId, place.hookId))
      if (!hook) throw hookErrors.ADDRESS_NOT_FOUND()
      if (!hook.active) throw hookErrors.INACTIVE()
      return { ...place, hook }
    },
    /**
     * A program's call. A repeated call with the same key gets the first response. @throws why it could not be done;
     * then nothing is stored but a line in the log
     */
    async call({ orgId, hook }: { orgId: string; hook: StoredHook }, given: Given): Promise<IncomingReply> {
      const { call, refusal } = await run(orgId, hook, given)
      if (refusal) throw refusal
      return replyOf(call)
    },
    /** A person repeats a call. */
    replay: async (orgId: string, hook: StoredHook, { id, body }: StoredCall): Promise<StoredCall> => {
      if (body === null) throw hookErrors.NOT_KEPT()
      return (await run(orgId, hook, { body: Buffer.from(body), replayOf: id })).call
    },
    /** Does it and undoes it. Returns what it would have done. @throws as a call would be refused */
    async tryOut(orgId: string, hook: StoredHook, json: unknown): Promise<HookDone> {
      const prepared = await prepare(orgId, hook.action, json)
      return writes.run(orgId, actorOfHook(hook), async write => {
        let done: HookDone | undefined
        const undo = new Error('tried out')
        const error = await runInSavepoint(write, async effects => {
          done = await act({ ...write, ...effects, emit: () => undefined }, hook, prepared)
          throw undo
        })
        if (error !== undo || !done) throw error
        return done
      })
    },
  }
}
export type Calling = ReturnType<typeof createCalling>
