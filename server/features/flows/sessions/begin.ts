import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { broughtVariables } from '#shared/flows/uses.ts'
import type { FlowInbox } from '../inbox.ts'
import type { LiveFlows } from '../live-flows.ts'
import type { SessionPosition } from '../step/advance-types.ts'
import { findTest, type StoredTest } from '../trials/test-store.ts'
import type { Batch } from './batch.ts'
import { flowActor } from './compute-advance.ts'
import type { Endings } from './endings.ts'
import { type StoredSession, saveSession } from './session-store.ts'
import type { Advance } from './store-advance.ts'

export interface BeginParts {
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly inbox: Pick<FlowInbox, 'changeControl'>
  readonly liveFlows: Pick<LiveFlows, 'list'>
}

interface NewSession {
  readonly flowId: string
  readonly trigger: string
  readonly conversationId: string
  readonly contactId: string
}

interface BeginOptions {
  readonly lastText?: string
  readonly fileAt?: string | undefined
  readonly variables?: SessionPosition['variables']
  readonly test?: StoredTest | undefined
  readonly batch?: Batch | undefined
}

const nowhere: SessionPosition = { nodeId: '', variables: {}, tries: 0 }

/** Begins sessions of live flows and of tests. */
export function createBegin(
  { clock, ids, inbox, liveFlows }: BeginParts,
  advance: Advance,
  { close, count }: Pick<Endings, 'close' | 'count'>,
) {
  /** Returns the new session's id; undefined if the flow is no longer live. */
  const begin = async (
    write: OrgWrite,
    { flowId, trigger, conversationId, contactId }: NewSession,
    { lastText = '', variables = {}, test, fileAt, batch }: BeginOptions = {},
  ): Promise<string | undefined> => {
    const { db, orgId } = write
    const published = test ? undefined : (await liveFlows.list(db, orgId)).find(one => one.flowId === flowId)
    const live = test ?? published
    if (!live) return undefined
    const { version = 0 } = published ?? {}
    const by = flowActor({ id: flowId, name: live.name })
    if (batch?.views.get(conversationId)?.control !== 'bot')
      await inbox.changeControl(write, conversationId, { cause: 'botWrote', by })
    const now = isoNow(clock)
    const session: StoredSession = {
      id: ids(clock.now().getTime()),
      flowId,
      version,
      contactId,
      conversationId,
      trigger,
      testId: test?.id ?? null,
      state: 'waitingTime',
      reason: null,
      place: { ...nowhere, variables, ...(fileAt === undefined ? {} : { fileAt }) },
      steps: 0,
      wakesAt: null,
      startedAt: now,
      movedAt: now,
      endedAt: null,
    }
    await saveSession(db, orgId, session)
    if (!test && batch) batch.begun.set(flowId, (batch.begun.get(flowId) ?? 0) + 1)
    else if (!test) await count(write, flowId, 'started')
    write.emit({ type: 'flow.started', data: { sessionId: session.id, flowId, conversationId } })
    await advance(write, session, { kind: 'begin' }, lastText, { batch })
    return session.id
  }

  /** The variables that a program supplied when it started the session, with today's trigger. */
  const broughtAgain = async (
    { db, orgId }: OrgWrite,
    session: StoredSession,
  ): Promise<SessionPosition['variables']> => {
    const live = (await liveFlows.list(db, orgId)).find(({ flowId }) => flowId === session.flowId)
    const names = broughtVariables(live?.triggers.filter(({ id }) => id === session.trigger) ?? [])
    return Object.fromEntries(Object.entries(session.place.variables).filter(([name]) => names.includes(name)))
  }

  /** Ends a session and begins its flow again. False: the flow is no longer live, or its test has ended. */
  const restart = async (write: OrgWrite, session: StoredSession, lastText: string): Promise<boolean> => {
    await close(write, session, { state: 'restarted', reason: null })
    const { flowId, trigger, conversationId, contactId, testId } = session
    const test = testId === null ? undefined : await findTest(write.db, write.orgId, testId)
    if (testId !== null && !test) return false
    const variables = await broughtAgain(write, session)
    const again = { flowId, trigger, conversationId, contactId }
    return (await begin(write, again, { lastText, test, variables })) !== undefined
  }

  return { begin, restart }
}
