import { createHash } from 'node:crypto'
import { randomToken } from '#server/platform/crypto/random.ts'
import type { EncryptedColumn, Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf, systemActor } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { OrgCaller } from '#server/platform/http/actor.ts'
import { appErrors } from '#server/platform/http/errors.ts'
import { type FieldFault, InvalidInput } from '#server/platform/http/validate.ts'
import { isoIn, isoNow } from '#server/platform/time/clock.ts'
import {
  type FlowHook,
  type flowHooksApi,
  type HookCall,
  type HookReply,
  hookCallsPerMinute,
  hookPath,
} from '#shared/flows/triggers/hooks.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { flowErrors } from '../errors.ts'
import { findFlowName } from '../store.ts'
import {
  countCall,
  deleteHook,
  findByClientKey,
  findByHash,
  findHook,
  type HookTarget,
  listHookUses,
  type StoredHook,
  saveHook,
  setClientKey,
} from './hook-store.ts'
import { createStarting, isHook, type Named, type StartingParts } from './starting.ts'

/** A start by a program: a flow with values for the variables that its trigger names. */
interface FlowStart {
  readonly flowId: string
  readonly variables: HookCall['variables']
}

export interface HookParts extends StartingParts {
  readonly databases: Databases
  readonly vault: Vault
  readonly writes: Pick<Writes, 'run'>
  readonly publicUrl: string
  /** The number typed, with its country code; undefined if it is not a number. */
  readPhone(orgId: string, typed: string): Promise<string | undefined>
  /**
   * The conversation with a number, on one of our numbers; an unknown number becomes a contact. @throws if it is not a
   * number that can be written to
   */
  nameContact(write: OrgWrite, to: { number: string; phone: string | undefined }): Promise<Named>
}

const minuteMs = 60_000
/** 256 bits cannot be guessed, so a plain hash is enough to find the row and reveals nothing. */
const secretBytes = 32
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
const contextOf = (orgId: string, flowId: string) => `flow_hook.sealed:${orgId}/${flowId}`

export const encryptedHooks: EncryptedColumn = {
  table: 'flow_hook',
  key: ['org_id', 'flow_id'],
  column: 'sealed',
  contextOf,
}

const fault = (field: string, code: FieldFault['code']): InvalidInput => new InvalidInput([{ field, code, params: {} }])

/**
 * The addresses at which other programs start flows: created with the trigger, found by a hash, displayed by decrypting
 * the stored address.
 */
export function createFlowHooks(parts: HookParts) {
  const { databases, clock, vault, writes } = parts
  const { requireLive, startLive } = createStarting(parts)

  const urlOf = (orgId: string, { flowId, sealed }: StoredHook): string | null => {
    try {
      return `${parts.publicUrl}${hookPath.replace(':secret', vault.decrypt(sealed, contextOf(orgId, flowId)))}`
    } catch {
      return null
    }
  }
  const present = (orgId: string, hook: StoredHook): FlowHook => {
    const { changedAt, changedBy, calledAt } = hook
    return { url: urlOf(orgId, hook), changedAt, changedBy, calledAt }
  }

  const renew = async ({ db, orgId }: OrgWrite, flowId: string, changedBy: string): Promise<void> => {
    const secret = randomToken(secretBytes)
    await saveHook(db, orgId, {
      flowId,
      secretHash: hashOf(secret),
      sealed: vault.encrypt(secret, contextOf(orgId, flowId)),
      changedAt: isoNow(clock),
      changedBy,
    })
  }

  const requireName = async (db: Db, orgId: string, id: string): Promise<string> => {
    const name = await findFlowName(db, orgId, id)
    if (name === undefined) throw flowErrors.NOT_FOUND()
    return name
  }

  const service: ServiceOf<typeof flowHooksApi, OrgCaller> = {
    listUses: async ({ orgId }) => ({ items: await listHookUses(databases.read, orgId) }),

    async getHook({ orgId }, { params: { id } }) {
      await requireName(databases.read, orgId, id)
      const hook = await findHook(databases.read, orgId, id)
      return { hook: hook ? present(orgId, hook) : null }
    },

    replaceHook: (caller, { params: { id } }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        const name = await requireName(write.db, write.orgId, id)
        await renew(write, id, caller.name)
        write.emit({ type: 'flow.changed', data: { flowId: id, name, change: 'readdressed' } })
        return { hook: present(write.orgId, (await findHook(write.db, write.orgId, id)) as StoredHook) }
      }),
  }

  return {
    service,
    /** A flow with a webhook trigger always has an address, also after copying, importing or restoring it. */
    async ensure(write: OrgWrite, flowId: string, triggers: readonly { kind: string }[], by: string): Promise<void> {
      if (!triggers.some(({ kind }) => kind === 'webhook')) return
      if (!(await findHook(write.db, write.orgId, flowId))) await renew(write, flowId, by)
    },
    remove: ({ db, orgId }: OrgWrite, flowId: string): Promise<void> => deleteHook(db, orgId, flowId),
    /** The flow of an address. @throws FLOWS_HOOK_NOT_FOUND */
    async find(secret: string): Promise<HookTarget> {
      const found = await findByHash(databases.read, hashOf(secret))
      if (!found) throw flowErrors.HOOK_NOT_FOUND()
      return found
    },
    /**
     * Starts the flow for the given contact: the session, its first steps and their messages are one commit, after which the
     * response is sent. A repeated call with the same key gets the first response. @throws InvalidInput naming the
     * field, or the reason why the flow cannot start; then nothing is stored
     */
    async begin({ orgId, flowId }: HookTarget, call: HookCall, clientKey: string | undefined): Promise<HookReply> {
      const number = await parts.readPhone(orgId, call.numberTel)
      if (number === undefined) throw fault('body.numberTel', 'invalid')
      return writes.run(orgId, systemActor('flows'), async write => {
        const { db } = write
        const earlier = clientKey === undefined ? undefined : await findByClientKey(db, orgId, { flowId, clientKey })
        if (earlier) return earlier
        const live = await requireLive(write, flowId)
        if (!live.triggers.some(isHook)) throw flowErrors.HOOK_UNUSED()
        const now = isoNow(clock)
        const limit = hookCallsPerMinute
        const freeAt = await countCall(db, orgId, { flowId, now, minuteEndsAt: isoIn(clock, minuteMs), limit })
        if (freeAt !== undefined)
          throw appErrors.TOO_MANY_REQUESTS({ retryAfterSeconds: (Date.parse(freeAt) - Date.parse(now)) / 1000 })
        const named = await parts.nameContact(write, { number, phone: call.phone })
        const session = await startLive(write, live, call.variables, named)
        if (clientKey !== undefined) await setClientKey(db, orgId, session.id, clientKey)
        return { id: session.id, state: session.state }
      })
    },
    /**
     * Starts a published flow for a contact, in the caller's transaction. Its triggers by webhook decide when; a flow
     * without one starts as by hand, and takes no variables. @throws as `begin`
     */
    async start(
      write: OrgWrite,
      { flowId, variables }: FlowStart,
      named: Named,
    ): Promise<{ id: string; name: string }> {
      const live = await requireLive(write, flowId)
      const { id } = await startLive(write, live, variables, named)
      return { id, name: live.name }
    },
  }
}
export type FlowHooks = ReturnType<typeof createFlowHooks>
