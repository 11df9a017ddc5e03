import type { Tags } from '#server/messaging/tags/tags.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { FlowSettings } from '#shared/flows/settings.ts'
import { calledBy } from '#shared/flows/uses.ts'
import type { Work } from '#shared/kernel/work.ts'
import type { OrgVariables } from '#shared/orgs/variables.ts'
import type { FlowInbox, FlowView } from '../inbox.ts'
import type { Drawn, LiveFlows } from '../live-flows.ts'
import { advanceSession } from '../step/advance-session.ts'
import type { FlowInput, FlowOutcome, FlowStep, SessionPosition } from '../step/advance-types.ts'
import { type FlowTemplates, templateFiller } from '../templates.ts'
import { type AdvanceMessages, isMessage, messagesOfAdvance } from './advance-messages.ts'
import { type Joined, joinedFor } from './joined.ts'
import { fieldsFor, needsOf } from './needs.ts'
import { begunBy } from './received.ts'
import type { StoredSession } from './session-store.ts'

const noOrgVariables: OrgVariables = { 'org.nombre': '' }

export interface ComputeAdvanceParts {
  readonly clock: Clock
  readonly inbox: Pick<FlowInbox, 'fieldsOf'>
  readonly liveFlows: LiveFlows
  readonly tags: Pick<Tags, 'list'>
  readonly templates: FlowTemplates
  readTimeZone(orgId: string, db: Db): Promise<string>
  readOrgVariables(orgId: string, db: Db): Promise<OrgVariables>
  isOpen(orgId: string, at: string, db: Db): Promise<boolean>
  /** The default label that opens a list of options, in the organization's language. */
  readListLabel(orgId: string, db: Db): Promise<string>
}

/** Data already read for the advance. */
interface Known {
  readonly view: FlowView
  readonly settings: FlowSettings
  /** The customer's last message. */
  readonly lastText: string
  /** The work the advance may cost. */
  readonly work: Work
}

/** The result of an advance; nothing of it is stored yet. */
export interface Advanced {
  readonly by: EventActor
  readonly at: string
  readonly steps: readonly FlowStep[]
  readonly outcome: FlowOutcome
  /** With its steps counted. */
  readonly moved: StoredSession
  /** The session while it waits; absent: it ended. */
  readonly waiting?: StoredSession
}

/** An advance that only sent messages and ends in a wait. */
export interface PlainAdvance extends AdvanceMessages {
  readonly waiting: StoredSession
  readonly before: StoredSession
}

const waitingStates = { answer: 'waitingAnswer', time: 'waitingTime', call: 'waitingCall', window: 'parked' } as const

/** A flow that runs no other flow needs no joining, so the result can be cached. */
const joinedAlone = new WeakMap<Drawn, Joined>()

/** The actor of changes made by a flow. */
export const flowActor = (flow: { id: string; name: string }): EventActor => ({
  kind: 'bot',
  id: flow.id,
  name: flow.name,
})

/** Undefined: the advance does more than sending, or ends the session. */
export const plainAdvance = (before: StoredSession, { waiting, steps, by, at }: Advanced): PlainAdvance | undefined =>
  waiting && steps.every(({ effect }) => !effect || isMessage(effect))
    ? { waiting, before, ...messagesOfAdvance(before, steps, { by, at }) }
    : undefined

/** Computes how sessions advance, reading the data that their graphs need. */
export function createComputeAdvance(parts: ComputeAdvanceParts) {
  const { clock, inbox, liveFlows } = parts

  const graphOf = async (db: Db, orgId: string, version: Drawn, place: SessionPosition): Promise<Joined> => {
    const known = joinedAlone.get(version)
    if (known) return known
    const joined = await joinedFor(db, orgId, version.graph, { place, liveFlows })
    if (!calledBy(version.graph).length) joinedAlone.set(version, joined)
    return joined
  }

  /** `gone`: the graph was deleted. `testOver`: the test has ended. */
  return async (
    { db, orgId }: Pick<OrgWrite, 'db' | 'orgId'>,
    session: StoredSession,
    input: FlowInput,
    { view, settings, lastText, work }: Known,
  ): Promise<Advanced | 'gone' | 'testOver'> => {
    const drawn = await liveFlows.findDrawn(db, orgId, session)
    if (!drawn) return 'gone'
    const now = isoNow(clock)
    if (drawn.endsAt !== undefined && drawn.endsAt <= now) return 'testOver'
    const { graph, index } = await graphOf(db, orgId, drawn, session.place)
    const { expiresAfterHours, expiredText } = settings
    const needs = needsOf(graph)
    const namesOrg = needs.orgVariables || expiredText?.includes('org.') === true
    const advance = advanceSession(index, session.place, input, {
      now,
      customerId: session.conversationId,
      timeZone: needs.timeZone ? await parts.readTimeZone(orgId, db) : 'UTC',
      isOpen: needs.hours ? await parts.isOpen(orgId, now, db) : true,
      builtIn: {
        'contacto.nombre': view.name,
        'contacto.telefono': view.number,
        'agente.nombre': view.agent,
        ...(namesOrg ? await parts.readOrgVariables(orgId, db) : noOrgVariables),
        ...(await fieldsFor(db, orgId, graph, [view.contactId], inbox)).get(view.contactId),
        ultimo_mensaje: lastText,
      },
      tagIds: view.tagIds,
      isWindowOpen: view.isWindowOpen,
      expiresAfterHours,
      expiredText,
      listLabel: needs.listLabel ? await parts.readListLabel(orgId, db) : '',
      knownTagIds: needs.tags ? (await parts.tags.list(db, orgId)).map(({ id }) => id) : [],
      work,
      fillTemplate: await templateFiller(db, orgId, graph, parts.templates, view),
    })
    const { outcome } = advance
    const steps = input.kind === 'begin' ? begunBy(advance.steps, lastText, session.place.variables) : advance.steps
    const by = flowActor({ id: session.flowId, name: drawn.name })
    const moved: StoredSession = { ...session, steps: session.steps + steps.length, movedAt: now }
    const advanced = { by, at: now, steps, outcome, moved }
    if (outcome.kind !== 'waits') return advanced
    const { endsAt = outcome.until } = drawn
    const wakesAt = endsAt < outcome.until ? endsAt : outcome.until
    return { ...advanced, waiting: { ...moved, state: waitingStates[outcome.for], place: outcome.place, wakesAt } }
  }
}

export type ComputeAdvance = ReturnType<typeof createComputeAdvance>
