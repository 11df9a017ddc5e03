import { isHeldFromFlows } from '#server/messaging/events.ts'
import type { Vault } from '#server/platform/crypto/secrets.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import type { DomainEvent } from '#server/platform/events/domain.ts'
import { runInSavepoint } from '#server/platform/events/savepoint.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import type { Log } from '#server/platform/log/log.ts'
import type { Outbound } from '#server/platform/outbound/outbound.ts'
import { type Clock, isoNow } from '#server/platform/time/clock.ts'
import { inBatches } from '#server/platform/work/in-batches.ts'
import { sessionsKeptDays } from '#shared/flows/testing/replay.ts'
import { fillIn } from '#shared/flows/variables.ts'
import { createFlowHooks, type HookParts } from './hooks/hooks.ts'
import { createLiveFlows } from './live-flows.ts'
import { createFlowPresence } from './presence.ts'
import { deleteEndedEditors } from './presence-store.ts'
import { createFlowSecrets } from './secrets.ts'
import { createFlowService } from './service.ts'
import type { FlowServiceParts } from './service-parts.ts'
import { createAtOnce } from './sessions/at-once.ts'
import type { Batch } from './sessions/batch.ts'
import { createFlowCalls } from './sessions/calls.ts'
import { createEngine, type EngineParts } from './sessions/engine.ts'
import { createIncoming, type IncomingParts } from './sessions/incoming.ts'
import { createFlowJobs } from './sessions/jobs.ts'
import { createFlowListeners } from './sessions/listeners.ts'
import { deleteEnded, findLive, findSession, findSessions } from './sessions/session-store.ts'
import { createFlowSettings, readFlowSettings } from './settings.ts'
import { markLimited as markLimitedIn } from './store.ts'
import { deleteReplays } from './trials/replay-store.ts'
import { createReplays } from './trials/replays.ts'
import { deleteTests } from './trials/test-store.ts'
import { createFlowTests, type TestParts } from './trials/tests.ts'
import { createWorlds } from './trials/worlds.ts'

type FlowsParts = Omit<EngineParts, 'liveFlows' | 'setTimers' | 'addCall' | 'markLimited'> &
  Omit<IncomingParts, 'liveFlows' | 'answer' | 'findTest' | 'markLimited'> &
  Pick<TestParts, 'listConnectedNumbers'> &
  Pick<HookParts, 'publicUrl' | 'readPhone' | 'nameContact'> &
  Omit<FlowServiceParts, 'liveFlows' | 'engine' | 'flowSecrets' | 'hooks'> & {
    readonly databases: Databases
    readonly clock: Clock
    readonly log: Log
    readonly jobs: Pick<Jobs, 'register'>
    readonly writes: Pick<Writes, 'run'>
    readonly vault: Vault
    readonly outbound: Outbound
  }

/** The session that advances, and its conversation. */
interface Place {
  readonly conversationId: string
  readonly contactId: string
}

const keptMs = sessionsKeptDays * 24 * 60 * 60 * 1000
const deletedAtOnce = 100
/** Each replay is deleted with up to a thousand verdicts. */
const replaysDeletedAtOnce = 1

/** Connects everything of flows: drafts, sessions, and the jobs that run them. */
export function createFlows(parts: FlowsParts) {
  const { log, inbox, clock } = parts
  const liveFlows = createLiveFlows()
  const flowSecrets = createFlowSecrets(parts)

  const markLimited = ({ db, orgId }: OrgWrite, flowIds: readonly string[]): Promise<void> =>
    markLimitedIn(db, orgId, flowIds, isoNow(clock))

  /** Runs `work` in a savepoint and undoes all of it if it throws. Returns the error, or undefined on success. */
  const trySavepoint = async (write: OrgWrite, work: (part: OrgWrite) => Promise<unknown>): Promise<unknown> => {
    const events: DomainEvent[] = []
    const error = await runInSavepoint(write, async effects => {
      await work({ ...write, ...effects, emit: event => void events.push(event) })
    })
    if (error === undefined) for (const event of events) write.emit(event)
    return error
  }

  /** If `work` throws, its changes are undone and the conversation is handed to a person. */
  const attempt = async (write: OrgWrite, at: Place, work: (part: OrgWrite) => Promise<unknown>): Promise<void> => {
    const error = await trySavepoint(write, work)
    if (error === undefined) return
    log.error(
      { err: error, orgId: write.orgId, conversationId: at.conversationId },
      'flow session failed; handing the conversation to a person',
    )
    const [session] = await findLive(write.db, write.orgId, [at.contactId])
    const nobody = { teamId: null, memberId: null, note: null }
    if (session) return engine.handOff(write, session, { reason: 'failed', ...nobody })
    await inbox.handOver(write, at.conversationId, { ...nobody, by: { kind: 'system', id: 'flows', name: null } })
  }

  /**
   * Advances the sessions of several contacts together. If that throws, each advances alone, so that a failing one
   * affects no other.
   */
  const attemptAll = async <T extends Place>(
    write: OrgWrite,
    places: readonly T[],
    work: (part: OrgWrite, at: T, batch?: Batch) => Promise<unknown>,
  ): Promise<void> => {
    if (!places.length) return
    const error = await trySavepoint(write, part =>
      engine.together(part, places, async batch => {
        for (const at of places) {
          await work(part, at, batch)
          await parts.databases.turn.giveWay()
        }
      }),
    )
    if (error !== undefined) for (const at of places) await attempt(write, at, part => work(part, at))
  }

  /** Sends the answer outside business hours to a customer who is in no flow and has no person. */
  const sayClosed = async (write: OrgWrite, at: Place): Promise<void> => {
    const { db, orgId } = write
    const view = (await inbox.read(db, orgId, [at.conversationId])).get(at.conversationId)
    const { closedText } = await readFlowSettings(db, orgId)
    if (
      !view ||
      closedText === null ||
      view.control === 'human' ||
      view.control === 'metaAgent' ||
      (await findLive(db, orgId, [at.contactId])).length
    )
      return
    const builtIn = {
      'contacto.nombre': view.name,
      'contacto.telefono': view.number,
      'agente.nombre': view.agent,
      ...(await parts.readOrgVariables(orgId, db)),
      ultimo_mensaje: '',
    }
    const text = fillIn(closedText, {}, builtIn)
    if (text) await inbox.answer(write, { conversationId: at.conversationId, text })
  }

  const jobs = createFlowJobs(parts.jobs, {
    async message(write, messages) {
      await attemptAll(
        write,
        messages.filter(({ testId, isClosed }) => testId === undefined && !isClosed),
        (part, { conversationId, contactId, starts, ...message }, batch) =>
          engine.take(part, { conversationId, contactId, message, starts }, batch),
      )
      for (const { conversationId, contactId, testId, isClosed } of messages) {
        const at = { conversationId, contactId }
        if (isClosed) await attempt(write, at, part => sayClosed(part, at))
        else if (testId !== undefined) await attempt(write, at, part => tests.start(part, { testId, ...at }))
      }
    },
    async timer(write, timers) {
      const stepsOf = new Map(timers.map(({ sessionId, steps }) => [sessionId, steps]))
      const sessions = await findSessions(write.db, write.orgId, [...stepsOf.keys()])
      await attemptAll(
        write,
        sessions.filter(({ id, endedAt, steps }) => endedAt === null && steps === stepsOf.get(id)),
        // This job is its timer and ends with it.
        (part, session, batch) => engine.wake(part, { ...session, wakesAt: null }, batch),
      )
    },
    async begin(write, begins) {
      const { db, orgId } = write
      const live = await findLive(
        db,
        orgId,
        begins.map(({ contactId }) => contactId),
      )
      const views = await inbox.read(
        db,
        orgId,
        begins.map(({ conversationId }) => conversationId),
      )
      for (const { flowId, triggerId, conversationId, contactId } of begins) {
        const view = views.get(conversationId)
        const isHeld = !view || isHeldFromFlows(view.control)
        if (isHeld || live.some(session => session.contactId === contactId)) continue
        await attempt(write, { conversationId, contactId }, part =>
          engine.begin(part, { flowId, trigger: triggerId, conversationId, contactId }),
        )
      }
    },
  })
  const calls = createFlowCalls(parts.jobs, { ...parts, flowSecrets }, async (write, { sessionId, steps }, result) => {
    const session = await findSession(write.db, write.orgId, sessionId)
    if (session?.state !== 'waitingCall' || session.steps !== steps) return
    await attempt(write, session, part => engine.hear(part, session, result))
  })
  const engine = createEngine({
    ...parts,
    liveFlows,
    markLimited,
    async setTimers(write, changed) {
      for (const { before } of changed) if (before?.state === 'waitingCall') await calls.cancel(write, before)
      await jobs.setTimers(write, changed)
    },
    addCall: (write, { id: sessionId, contactId, steps }, call) =>
      calls.add(write, { sessionId, contactId, steps, call }),
  })
  const hooks = createFlowHooks({ ...parts, liveFlows, engine })
  const tests = createFlowTests({ ...parts, liveFlows, flowSecrets, engine })
  const answer = createAtOnce({ log, engine, jobs, trySavepoint })
  const incoming = createIncoming({ ...parts, liveFlows, answer, findTest: tests.find, markLimited })
  const listeners = createFlowListeners({ ...parts, liveFlows, engine, addBegin: jobs.addBegin })

  return {
    service: createFlowService({ ...parts, liveFlows, engine, flowSecrets, hooks }),
    secrets: flowSecrets.service,
    settings: createFlowSettings(parts),
    replays: createReplays({ ...parts, liveFlows, worldOf: createWorlds(parts) }).service,
    tests: tests.service,
    hooks,
    presence: createFlowPresence({ clock, writes: parts.writes }),
    incoming,
    /** Matches keywords in texts about to be stored, before the transaction that needs the results. */
    async readAhead(orgId: string, texts: readonly (string | undefined)[]): Promise<{ items: number; steps: number }> {
      const live = await liveFlows.list(parts.databases.read, orgId)
      if (!live.length) return { items: texts.length, steps: 0 }
      return liveFlows.readAhead(orgId, live, texts, parts.databases.turn)
    },
    /** True if the flow is published, so that it can start. */
    isLive: async (db: Db, orgId: string, flowId: string): Promise<boolean> =>
      (await liveFlows.list(db, orgId)).some(live => live.flowId === flowId),
    listeners,
    /** Deletes old data. */
    prune: async (now: Date) => {
      const before = new Date(now.getTime() - keptMs).toISOString()
      await inBatches(replaysDeletedAtOnce, limit => deleteReplays(parts.databases.write, before, limit))
      const gone = await inBatches(deletedAtOnce, limit => deleteEnded(parts.databases.write, before, limit))
      await inBatches(deletedAtOnce, limit => deleteEndedEditors(parts.databases.write, now.toISOString(), limit))
      await inBatches(deletedAtOnce, limit => deleteTests(parts.databases.write, before, limit))
      return gone
    },
  }
}
