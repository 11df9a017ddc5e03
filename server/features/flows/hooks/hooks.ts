import { createHash } from 'node:crypto'
import { isHeldFromFlows } from '#server/messaging/events.ts'
import type { NamedCustomer } from '#server/messaging/sending/first-message.ts'
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
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import {
  type FlowHook,
  type flowHooksApi,
  type HookCall,
  type HookReply,
  hookCallsPerMinute,
  hookPath,
} from '#shared/flows/hooks.ts'
import {
  chooseFlow,
  type FlowTrigger,
  noKeywords,
  rankTriggers,
  type TriggerRefusal,
  whyNot,
} from '#shared/flows/triggers.ts'
import { chosenTemplates } from '#shared/flows/uses.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { isMarketingCategory } from '#shared/templates/words.ts'
import { flowErrors } from '../errors.ts'
import type { FlowInbox, FlowView } from '../inbox.ts'
import type { LiveFlow } from '../live-flow.ts'
import type { LiveFlows } from '../live-flows.ts'
import type { Engine } from '../sessions/engine.ts'
import { joinedFor } from '../sessions/joined.ts'
import { findLive, findSession, flowsBefore, isMute } from '../sessions/session-store.ts'
import { findFlowName } from '../store.ts'
import { type FlowTemplates, templatesOf } from '../templates.ts'
import {
  countCall,
  deleteHook,
  findByClientKey,
  findByHash,
  findHook,
  type HookPlace,
  listHookUses,
  type StoredHook,
  saveHook,
  setClientKey,
} from './hook-store.ts'

/** The contact to whom a program's call refers. `isOptedOut`: of marketing. */
type Named = Pick<NamedCustomer, 'conversationId' | 'contactId' | 'isBlocked' | 'isOptedOut'>

/** A start by a program: a flow with values for the variables that its trigger names. */
interface FlowStart {
  readonly flowId: string
  readonly variables: HookCall['variables']
}

export interface HookParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly vault: Vault
  readonly writes: Pick<Writes, 'run'>
  readonly publicUrl: string
  readonly engine: Pick<Engine, 'begin'>
  readonly liveFlows: LiveFlows
  readonly inbox: Pick<FlowInbox, 'read'>
  readonly templates: Pick<FlowTemplates, 'findNamed'>
  isOpen(orgId: string, at: string, db: Db): Promise<boolean>
  /** The number typed, with its country code; undefined if it is not a number. */
  readPhone(orgId: string, typed: string): Promise<string | undefined>
  /**
   * The conversation with a number, on one of our numbers; an unknown number becomes a contact. @throws if it is not a
   * number that can be written to
   */
  nameContact(write: OrgWrite, to: { number: string; phone: string | undefined }): Promise<Named>
}

type View = FlowView | undefined

const minuteMs = 60_000
/** 256 bits cannot be guessed, so a plain hash is enough to find the row and reveals nothing. */
const secretBytes = 32
const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('base64url')
const placeOf = (orgId: string, flowId: string) => `flow_hook.sealed:${orgId}/${flowId}`

export const encryptedHooks: EncryptedColumn = {
  table: 'flow_hook',
  key: ['org_id', 'flow_id'],
  column: 'sealed',
  placeOf,
}

const refusals = {
  hours: flowErrors.HOOK_HOURS,
  tagMissing: flowErrors.HOOK_TAG,
  beforeAlready: flowErrors.HOOK_BEFORE,
} as const satisfies Partial<Record<TriggerRefusal, unknown>>

const fault = (field: string, code: FieldFault['code']): InvalidInput => new InvalidInput([{ field, code, params: {} }])

/** The call's variables as texts. @throws InvalidInput for a name that the trigger does not have */
const broughtBy = (variables: HookCall['variables'] = {}, names: readonly string[]): Record<string, string> => {
  const unknown = Object.keys(variables).filter(name => !names.includes(name))
  if (unknown.length)
    throw new InvalidInput(unknown.map(name => ({ field: `body.variables.${name}`, code: 'unknown', params: {} })))
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)]))
}

const isHook = (trigger: FlowTrigger) => trigger.kind === 'webhook'

/**
 * The addresses at which other programs start flows: created with the trigger, found by a hash, displayed by decrypting
 * the stored address.
 */
export function createFlowHooks(parts: HookParts) {
  const { databases, clock, vault, writes, liveFlows } = parts

  const urlOf = (orgId: string, { flowId, sealed }: StoredHook): string | null => {
    try {
      return `${parts.publicUrl}${hookPath.replace(':secret', vault.decrypt(sealed, placeOf(orgId, flowId)))}`
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
      sealed: vault.encrypt(secret, placeOf(orgId, flowId)),
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

  /** The trigger that starts the flow. @throws if business hours, the tag or an earlier run prevent it */
  const requireTrigger = async (
    write: OrgWrite,
    { flowId, triggers: all }: LiveFlow,
    { contactId }: Named,
    view: View,
  ) => {
    const { db, orgId } = write
    const triggers = all.filter(isHook)
    const asksHours = triggers.some(({ hours }) => hours)
    const asksBefore = triggers.some(({ oncePerContact }) => oncePerContact)
    const occasion = {
      what: { kind: 'webhook' },
      isOpen: !asksHours || (await parts.isOpen(orgId, isoNow(clock), db)),
      isFirst: false,
      wasArchived: false,
      silentHours: null,
      tagIds: view?.tagIds ?? [],
      flowsBefore: asksBefore ? ((await flowsBefore(db, orgId, [contactId])).get(contactId) ?? []) : [],
    } as const
    const flows = [{ flowId, triggers }]
    const chosen = chooseFlow(rankTriggers(flows), occasion, noKeywords)
    if (chosen) return chosen.triggerId
    const { why = 'hours' } = whyNot(flows, occasion, noKeywords, null)[0] ?? {}
    throw refusals[why as keyof typeof refusals]()
  }

  /** @throws FLOWS_CONTACT_BLOCKED, FLOWS_WITH_A_PERSON, FLOWS_IN_A_FLOW, FLOWS_OPTED_OUT */
  const requireFree = async ({ db, orgId }: OrgWrite, live: LiveFlow, named: Named, view: View): Promise<void> => {
    if (named.isBlocked) throw flowErrors.CONTACT_BLOCKED()
    if (isHeldFromFlows(view?.control)) throw flowErrors.WITH_A_PERSON()
    if ((await findLive(db, orgId, [named.contactId])).length) throw flowErrors.IN_A_FLOW()
    if (!named.isOptedOut) return
    const version = await liveFlows.findVersionCached(db, orgId, live.flowId, live.version)
    if (!version) return
    const { graph } = await joinedFor(db, orgId, version.graph, { place: undefined, liveFlows })
    const chosen = chosenTemplates(graph)
    const isMarketing = (await templatesOf(db, orgId, graph, parts.templates)).some(
      ({ name, language, category }) =>
        isMarketingCategory(category) && chosen.some(one => one.template === name && one.language === language),
    )
    if (isMarketing) throw flowErrors.OPTED_OUT()
  }

  const requireLive = async ({ db, orgId }: OrgWrite, flowId: string): Promise<LiveFlow> => {
    const live = (await liveFlows.list(db, orgId)).find(one => one.flowId === flowId)
    if (!live) throw flowErrors.NOT_LIVE()
    return live
  }

  /** @throws InvalidInput for a variable that no trigger names, and the reasons why the flow cannot start */
  const startLive = async (write: OrgWrite, live: LiveFlow, given: HookCall['variables'], named: Named) => {
    const { db, orgId } = write
    const { flowId, triggers } = live
    const known = triggers.flatMap(trigger => (trigger.kind === 'webhook' ? trigger.variables : []))
    const variables = broughtBy(given, known)
    const { conversationId, contactId } = named
    const view = (await parts.inbox.read(db, orgId, [conversationId])).get(conversationId)
    await requireFree(write, live, named, view)
    const trigger = triggers.some(isHook) ? await requireTrigger(write, live, named, view) : 'manual'
    const id = await parts.engine.begin(write, { flowId, trigger, conversationId, contactId }, { variables })
    const session = id === undefined ? undefined : await findSession(db, orgId, id)
    if (!session) throw flowErrors.NOT_LIVE()
    if (await isMute(db, orgId, session)) throw flowErrors.WINDOW_CLOSED()
    return session
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
    async find(secret: string): Promise<HookPlace> {
      const found = await findByHash(databases.read, hashOf(secret))
      if (!found) throw flowErrors.HOOK_NOT_FOUND()
      return found
    },
    /**
     * Starts the flow for the given contact: the session, its first steps and their messages are one commit, after which the
     * response is sent. A repeated call with the same key gets the first response. @throws InvalidInput naming the
     * field, or the reason why the flow cannot start; then nothing is stored
     */
    async begin({ orgId, flowId }: HookPlace, call: HookCall, clientKey: string | undefined): Promise<HookReply> {
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
