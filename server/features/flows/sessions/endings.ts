import type { Db } from '#server/platform/db/database.ts'
import type { EventActor } from '#server/platform/events/actor.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import type { SessionState } from '#shared/flows/runs/runs.ts'
import { wallTime } from '#shared/kernel/time.ts'
import type { FlowInbox } from '../inbox.ts'
import type { LiveFlows } from '../live-flows.ts'
import { countInDay, type FlowCounts } from '../runs/day-store.ts'
import type { FlowOutcome } from '../step/advance-types.ts'
import { findTest } from '../trials/test-store.ts'
import { type ComputeAdvanceParts, flowActor } from './compute-advance.ts'
import type { TimerChange } from './jobs.ts'
import { type StoredSession, saveSession } from './session-store.ts'

export interface EndingParts extends Pick<ComputeAdvanceParts, 'readTimeZone'> {
  readonly clock: Clock
  readonly inbox: Pick<FlowInbox, 'changeControl' | 'handOver'>
  readonly liveFlows: Pick<LiveFlows, 'findDrawn'>
  /** A text for the team: why a flow could not continue. */
  sayStopped(orgId: string, why: { name: string; reason: EndReason }, db: Db): Promise<string>
  /** A text for the team: the waiting contact is testing a flow, not a customer. */
  sayTested(orgId: string, test: { name: string; by: string }, db: Db): Promise<string>
  /** Sets or clears the timers at which sessions continue by themselves (`wakesAt`). */
  setTimers(write: OrgWrite, changed: readonly TimerChange[]): Promise<void>
}

type EndReason = NonNullable<Extract<FlowOutcome, { kind: 'handedOff' }>['reason']> | 'failed' | 'unanswered'

type Ending = { readonly state: SessionState; readonly reason: string | null }

/** Ends sessions. `close` changes only the row, `letGo` releases the conversation, `handOff` gives it to a person. */
export function createEndings(parts: EndingParts) {
  const { clock, inbox, liveFlows } = parts

  const actorOf = async (db: Db, orgId: string, session: StoredSession): Promise<EventActor> => {
    const drawn = await liveFlows.findDrawn(db, orgId, session)
    return flowActor({ id: session.flowId, name: drawn?.name ?? '' })
  }

  /** Adds to the counts of today, by the organization's time zone. */
  const count = async ({ db, orgId }: OrgWrite, flowId: string, what: keyof FlowCounts, times = 1): Promise<void> => {
    const day = wallTime(clock.now().getTime(), await parts.readTimeZone(orgId, db)).slice(0, 10)
    await countInDay(db, orgId, { flowId, day, [what]: times })
  }

  /** Ends a session; only its row is changed. */
  const close = async (write: OrgWrite, session: StoredSession, { state, reason }: Ending): Promise<StoredSession> => {
    const at = isoNow(clock)
    const ended: StoredSession = { ...session, state, reason, wakesAt: null, movedAt: at, endedAt: at }
    await saveSession(write.db, write.orgId, ended)
    await parts.setTimers(write, [{ session: ended, before: session }])
    const { id: sessionId, flowId, conversationId, testId } = session
    if (testId === null && (state === 'finished' || state === 'handedOff')) await count(write, flowId, state)
    write.emit({ type: 'flow.ended', data: { sessionId, flowId, conversationId, state, reason } })
    return ended
  }

  /** Ends a session and releases its conversation. */
  const letGo = async (write: OrgWrite, session: StoredSession, ending: Ending): Promise<void> => {
    await close(write, session, ending)
    const by = await actorOf(write.db, write.orgId, session)
    await inbox.changeControl(write, session.conversationId, { cause: 'botEnded', by })
  }

  const handOff = async (
    write: OrgWrite,
    session: StoredSession,
    {
      reason,
      teamId,
      memberId,
      note,
    }: Omit<Extract<FlowOutcome, { kind: 'handedOff' }>, 'kind' | 'reason'> & {
      reason: EndReason | 'wanted'
    },
  ): Promise<void> => {
    await close(write, session, { state: 'handedOff', reason })
    const by = await actorOf(write.db, write.orgId, session)
    const stopped =
      note === null && reason !== 'asked' && reason !== 'wanted'
        ? await parts.sayStopped(write.orgId, { name: by.name ?? '', reason }, write.db)
        : note
    const test = session.testId === null ? undefined : await findTest(write.db, write.orgId, session.testId)
    const tested = test && (await parts.sayTested(write.orgId, { name: test.name, by: test.authorName }, write.db))
    const notes = [tested, stopped].filter(Boolean).join('\n') || null
    await inbox.handOver(write, session.conversationId, { teamId, memberId, note: notes, by })
  }

  return { actorOf, count, close, letGo, handOff }
}

export type Endings = ReturnType<typeof createEndings>
