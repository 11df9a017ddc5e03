import { randomToken } from '#server/platform/crypto/random.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { refusalIn, type Say, toWireError } from '#server/platform/http/refusals.ts'
import { InvalidInput, visibleText } from '#server/platform/http/validate.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import {
  fieldsOfAction,
  type HookAction,
  type IncomingHook,
  type incomingHooksApi,
  incomingLimits,
  incomingPath,
} from '#shared/incoming-hooks/api.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import type { Language } from '#shared/kernel/language.ts'
import { countSince, findCall, listCalls, listNewest } from './call-store.ts'
import { type Calling, hookSecretHash, readHookJson } from './calling.ts'
import { hookErrors } from './errors.ts'
import { deleteHook, findHook, listHooks, type StoredHook, saveHook } from './hook-store.ts'
import { fillAction } from './values.ts'
import { callWords, doneWords, presentCall, refusalWords } from './words.ts'

interface ServiceParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
  readonly publicUrl: string
  readonly calling: Pick<Calling, 'replay' | 'tryOut'>
  translate(language: Language, key: string, params?: Readonly<Record<string, unknown>>): string
}

const secretBytes = 32
const dayMs = 86_400_000

/** @throws InvalidInput naming each field that the kind of action lacks, or does not have */
const requireWhole = (action: HookAction): void => {
  const { needs, takes, oneOf = [] } = fieldsOfAction[action.kind]
  const missing = [
    ...needs.filter(field => action[field] === undefined),
    ...(oneOf.length && !oneOf.some(field => action[field] !== undefined) ? oneOf.slice(0, 1) : []),
  ]
  const known: readonly string[] = ['kind', 'number', 'name', ...needs, ...oneOf, ...takes]
  const foreign = Object.keys(action).filter(field => !known.includes(field))
  const faults = [
    ...missing.map(field => ({ field: `body.action.${field}`, code: 'required', params: {} })),
    ...foreign.map(field => ({ field: `body.action.${field}`, code: 'unknown', params: {} })),
  ]
  if (faults.length) throw new InvalidInput(faults)
}

/** Answers the calls of owners, admins and developers. */
export function createHookService(parts: ServiceParts): ServiceOf<typeof incomingHooksApi, OrgCaller> {
  const { databases, clock, ids, writes, publicUrl, calling, translate } = parts

  const sayFor =
    ({ language }: Pick<OrgCaller, 'language'>): Say =>
    (key, params) =>
      translate(language, key, params)

  const presentAll = async (db: Db, caller: OrgCaller, hooks: readonly StoredHook[]): Promise<IncomingHook[]> => {
    const { orgId } = caller
    const newest = new Map((await listNewest(db, orgId)).map(call => [call.hook_id, call]))
    const counts = await countSince(db, orgId, isoIn(clock, -dayMs))
    const countOf = (id: string, state: string) =>
      counts.find(one => one.hookId === id && one.state === state)?.count ?? 0
    return hooks.map(({ secretHash: _, ...shown }) => {
      const last = newest.get(shown.id)
      return {
        ...shown,
        last: last ? { at: last.at, state: last.state, says: callWords(last, sayFor(caller)) } : null,
        day: { done: countOf(shown.id, 'done'), refused: countOf(shown.id, 'refused') },
      }
    })
  }
  const present = async (db: Db, caller: OrgCaller, hook: StoredHook): Promise<IncomingHook> =>
    (await presentAll(db, caller, [hook]))[0] as IncomingHook

  /** @throws INCOMING_HOOKS_NOT_FOUND */
  const requireHook = async (db: Db, orgId: string, id: string): Promise<StoredHook> => {
    const found = await findHook(db, orgId, id)
    if (!found) throw hookErrors.NOT_FOUND()
    return found
  }

  const newAddress = () => {
    const secret = randomToken(secretBytes)
    return { secretHash: hookSecretHash(secret), url: publicUrl + incomingPath.replace(':secret', secret) }
  }

  /** @throws INCOMING_HOOKS_NAME_TAKEN, InvalidInput for a name without visible characters */
  const nameFor = (typed: string, others: readonly StoredHook[]): string => {
    const name = visibleText(typed, 'body.name').replace(/\s+/g, ' ')
    if (others.some(one => one.name === name)) throw hookErrors.NAME_TAKEN({ fields: ['body.name'], params: { name } })
    return name
  }

  return {
    async listHooks(caller) {
      const db = databases.read
      return { items: await presentAll(db, caller, await listHooks(db, caller.orgId)) }
    },

    createHook: (caller, { body: { name, action, sample = null } }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        requireWhole(action)
        const known = await listHooks(db, orgId)
        const free = nameFor(name, known)
        if (known.length >= incomingLimits.hooks) throw hookErrors.TOO_MANY({ params: { limit: incomingLimits.hooks } })
        const now = isoNow(clock)
        const { secretHash, url } = newAddress()
        const hook: StoredHook = {
          id: ids(clock.now().getTime()),
          name: free,
          secretHash,
          action,
          sample,
          active: true,
          createdAt: now,
          changedAt: now,
          changedBy: caller.name,
        }
        await saveHook(db, orgId, hook)
        return { hook: await present(db, caller, hook), url }
      }),

    async testHook(caller, { body: { action, sample } }) {
      requireWhole(action)
      const say = sayFor(caller)
      const now = isoNow(clock)
      const hook: StoredHook = {
        id: ids(clock.now().getTime()),
        name: caller.name,
        secretHash: '',
        action,
        sample: null,
        active: true,
        createdAt: now,
        changedAt: now,
        changedBy: caller.name,
      }
      let values: { field: string; value: string }[] = []
      try {
        const json = readHookJson(Buffer.from(sample))
        values = [...fillAction(action, json).all].map(([field, value]) => ({ field, value }))
        const done = await calling.tryOut(caller.orgId, hook, json)
        return { works: true, says: doneWords(done, say), details: [], values }
      } catch (error) {
        const refusal = refusalIn(error)
        if (!refusal) throw error
        const { details = [] } = toWireError(refusal, '', say)
        return { works: false, says: refusalWords(refusal, say), details, values }
      }
    },

    changeHook: (caller, { params: { id }, body }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        const before = await requireHook(db, orgId, id)
        const { action = before.action, sample = before.sample, active = before.active } = body
        requireWhole(action)
        const others = (await listHooks(db, orgId)).filter(one => one.id !== id)
        const name = body.name === undefined ? before.name : nameFor(body.name, others)
        const after = {
          ...before,
          name,
          action,
          sample,
          active,
          changedAt: isoNow(clock),
          changedBy: caller.name,
        }
        await saveHook(db, orgId, after)
        return present(db, caller, after)
      }),

    replaceAddress: (caller, { params: { id } }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        const before = await requireHook(db, orgId, id)
        const { secretHash, url } = newAddress()
        await saveHook(db, orgId, { ...before, secretHash, changedAt: isoNow(clock), changedBy: caller.name })
        return { url }
      }),

    deleteHook: (caller, { params: { id } }) =>
      writes.run(caller.orgId, actorOf(caller), async ({ db, orgId }) => {
        await requireHook(db, orgId, id)
        await deleteHook(db, orgId, id)
        return { success: true }
      }),

    async listCalls(caller, { params: { id }, query: { before, state } }) {
      const db = databases.read
      const hook = await requireHook(db, caller.orgId, id)
      const limit = incomingLimits.callsAtOnce
      const found = await listCalls(db, caller.orgId, { hookId: hook.id, before, state, limit: limit + 1 })
      const items = found.slice(0, limit).map(call => presentCall(call, sayFor(caller)))
      return { items, next: found.length > limit ? (items.at(-1)?.id ?? null) : null }
    },

    async replayCall(caller, { params: { id, callId } }) {
      const db = databases.read
      const hook = await requireHook(db, caller.orgId, id)
      if (!hook.active) throw hookErrors.INACTIVE()
      const call = await findCall(db, caller.orgId, { hookId: hook.id, id: callId })
      if (!call) throw hookErrors.CALL_NOT_FOUND()
      return presentCall(await calling.replay(caller.orgId, hook, call), sayFor(caller))
    },
  }
}
