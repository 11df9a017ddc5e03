import { isHeldFromFlows } from '#server/messaging/events.ts'
import type { NamedCustomer } from '#server/messaging/sending/first-message.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { InvalidInput } from '#server/platform/http/validate.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { HookCall } from '#shared/flows/triggers/hooks.ts'
import {
  chooseFlow,
  type FlowTrigger,
  noKeywords,
  rankTriggers,
  type TriggerRefusal,
  whyNot,
} from '#shared/flows/triggers/triggers.ts'
import { chosenTemplates } from '#shared/flows/uses.ts'
import { isMarketingCategory } from '#shared/templates/words.ts'
import { flowErrors } from '../errors.ts'
import type { FlowInbox, FlowView } from '../inbox.ts'
import type { LiveFlow } from '../live-flow.ts'
import type { LiveFlows } from '../live-flows.ts'
import type { Engine } from '../sessions/engine.ts'
import { joinedFor } from '../sessions/joined.ts'
import { findLive, findSession, flowsBefore, isMute } from '../sessions/session-store.ts'
import { type FlowTemplates, templatesOf } from '../templates.ts'

/** The contact to whom a program's call refers. `isOptedOut`: of marketing. */
export type Named = Pick<NamedCustomer, 'conversationId' | 'contactId' | 'isBlocked' | 'isOptedOut'>

export interface StartingParts {
  readonly clock: Clock
  readonly engine: Pick<Engine, 'begin'>
  readonly liveFlows: LiveFlows
  readonly inbox: Pick<FlowInbox, 'read'>
  readonly templates: Pick<FlowTemplates, 'findNamed'>
  isOpen(orgId: string, at: string, db: Db): Promise<boolean>
}

type View = FlowView | undefined

const refusals = {
  hours: flowErrors.HOOK_HOURS,
  tagMissing: flowErrors.HOOK_TAG,
  beforeAlready: flowErrors.HOOK_BEFORE,
} as const satisfies Partial<Record<TriggerRefusal, unknown>>

/** The call's variables as texts. @throws InvalidInput for a name that the trigger does not have */
const broughtBy = (variables: HookCall['variables'] = {}, names: readonly string[]): Record<string, string> => {
  const unknown = Object.keys(variables).filter(name => !names.includes(name))
  if (unknown.length)
    throw new InvalidInput(unknown.map(name => ({ field: `body.variables.${name}`, code: 'unknown', params: {} })))
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, String(value)]))
}

export const isHook = (trigger: FlowTrigger) => trigger.kind === 'webhook'

/** Starts a published flow for a contact whom a program names, if nothing prevents it. */
export function createStarting(parts: StartingParts) {
  const { clock, liveFlows } = parts

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

  return { requireLive, startLive }
}
