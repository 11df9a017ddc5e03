import { isHeldFromFlows } from '#server/messaging/events.ts'
import { randomInt } from '#server/platform/crypto/random.ts'
import type { Db } from '#server/platform/db/database.ts'
import type { Databases } from '#server/platform/db/db.ts'
import { actorOf } from '#server/platform/events/actors.ts'
import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Writes } from '#server/platform/events/writes.ts'
import { callerId, type OrgCaller } from '#server/platform/http/actor.ts'
import { type Clock, isoIn, isoNow } from '#server/platform/time/clock.ts'
import { problemsOf } from '#shared/flows/problems/problems.ts'
import {
  type FlowTest,
  type flowTestsApi,
  maxTestedAtOnce,
  testCodeDigits,
  testCodeOf,
  testLastsMs,
  testText,
} from '#shared/flows/testing/tests.ts'
import type { ServiceOf } from '#shared/kernel/contract.ts'
import { flowErrors } from '../errors.ts'
import { type FactParts, factsFor, readPatterns } from '../facts.ts'
import type { FlowInbox } from '../inbox.ts'
import { problemsRefusal } from '../refusal.ts'
import type { Engine } from '../sessions/engine.ts'
import { findLive, listLiveOfTest } from '../sessions/session-store.ts'
import { findFlow, hasFlow } from '../store.ts'
import { endTest, findOpenByCode, findOpenOf, findTest, insertTest, listTestRuns, type TestHead } from './test-store.ts'

export interface TestParts extends FactParts {
  readonly databases: Databases
  readonly clock: Clock
  readonly ids: (at?: number) => string
  readonly writes: Pick<Writes, 'run'>
  readonly engine: Pick<Engine, 'begin' | 'close' | 'letGo'>
  readonly inbox: Pick<FlowInbox, 'read' | 'changeControl' | 'whoAre' | 'fieldsOf'>
  /** The organization's connected numbers. */
  listConnectedNumbers(db: Db, orgId: string): Promise<FlowTest['numbers']>
}

const sessionsShown = 10
const system = { kind: 'system', id: 'flows', name: null } as const

/**
 * Tests a draft on its author's phone: the author sends a code that only they were shown. This proves the phone is
 * theirs, opens its window, and no customer starts it by mistake.
 */
export function createFlowTests(parts: TestParts) {
  const { databases, clock, ids, writes, engine, inbox } = parts

  const present = async (db: Db, caller: OrgCaller, test: TestHead): Promise<FlowTest> => {
    const runs = await listTestRuns(db, caller, test.id, sessionsShown)
    const who = await inbox.whoAre(
      db,
      caller.orgId,
      runs.map(({ conversationId }) => conversationId),
    )
    return {
      id: test.id,
      text: testText(test.code),
      numbers: [...(await parts.listConnectedNumbers(db, caller.orgId))],
      endsAt: test.endsAt,
      sessions: runs.flatMap(({ id, conversationId, endedAt }) => {
        const contact = who.get(conversationId)
        return contact ? [{ id, ...contact, isOver: endedAt !== null }] : []
      }),
    }
  }

  const findOwn = (db: Db, caller: OrgCaller, flowId: string) =>
    findOpenOf(db, caller.orgId, { flowId, authorId: callerId(caller), now: isoNow(clock) })

  /** Ends its sessions, and its code starts nothing any more. */
  const end = async (write: OrgWrite, test: TestHead): Promise<void> => {
    await endTest(write.db, write.orgId, test.id, isoNow(clock))
    for (const session of await listLiveOfTest(write.db, write.orgId, test.id, maxTestedAtOnce))
      await engine.letGo(write, session, { state: 'stopped', reason: 'testOver' })
  }

  const newCode = async ({ db, orgId }: OrgWrite): Promise<string> => {
    for (;;) {
      const code = String(randomInt(10 ** testCodeDigits)).padStart(testCodeDigits, '0')
      if (!(await findOpenByCode(db, orgId, code, isoNow(clock)))) return code
    }
  }

  const requireFlow = async (db: Db, orgId: string, id: string) => {
    if (!(await hasFlow(db, orgId, id))) throw flowErrors.NOT_FOUND()
  }

  const service: ServiceOf<typeof flowTestsApi, OrgCaller> = {
    async begin(caller, { params }) {
      const drawn = await findFlow(databases.read, caller.orgId, params.id)
      if (drawn) await readPatterns(drawn, databases.turn)
      return writes.run(caller.orgId, actorOf(caller), async write => {
        const { db, orgId } = write
        const flow = await findFlow(db, orgId, params.id)
        if (!flow) throw flowErrors.NOT_FOUND()
        if (!(await parts.listConnectedNumbers(db, orgId)).length) throw flowErrors.NO_NUMBER()
        // Problems of triggers do not matter in a test.
        const problems = problemsOf(flow, await factsFor(db, orgId, flow, parts)).filter(
          ({ isError, triggerId }) => isError && triggerId === undefined,
        )
        if (problems.length) throw problemsRefusal(problems)
        const earlier = await findOwn(db, caller, flow.id)
        if (earlier) await end(write, earlier)
        const test = {
          id: ids(clock.now().getTime()),
          flowId: flow.id,
          code: await newCode(write),
          name: flow.name,
          authorId: callerId(caller),
          authorName: caller.name,
          createdAt: isoNow(clock),
          endsAt: isoIn(clock, testLastsMs),
        }
        await insertTest(db, orgId, { ...test, wireGraph: flow.wireGraph })
        return present(db, caller, test)
      })
    },

    async get(caller, { params }) {
      const db = databases.read
      await requireFlow(db, caller.orgId, params.id)
      const test = await findOwn(db, caller, params.id)
      return { test: test ? await present(db, caller, test) : null }
    },

    stop: (caller, { params }) =>
      writes.run(caller.orgId, actorOf(caller), async write => {
        await requireFlow(write.db, write.orgId, params.id)
        const test = await findOwn(write.db, caller, params.id)
        if (test) await end(write, test)
        return { success: true }
      }),
  }

  return {
    service,
    /** The test that a message starts. */
    async find(db: Db, orgId: string, text: string): Promise<TestHead | undefined> {
      const code = testCodeOf(text)
      const test = code === undefined ? undefined : await findOpenByCode(db, orgId, code, isoNow(clock))
      if (!test || !(await hasFlow(db, orgId, test.flowId))) return undefined
      const live = await listLiveOfTest(db, orgId, test.id, maxTestedAtOnce)
      return live.length < maxTestedAtOnce ? test : undefined
    },
    /** Starts in the conversation that the code was sent from, even if it is assigned or the contact is in another flow. */
    async start(
      write: OrgWrite,
      { testId, conversationId, contactId }: { testId: string; conversationId: string; contactId: string },
    ): Promise<void> {
      const { db, orgId } = write
      const test = await findTest(db, orgId, testId)
      const view = (await inbox.read(db, orgId, [conversationId])).get(conversationId)
      if (!test || !view) return
      const [session] = await findLive(db, orgId, [contactId])
      if (session) await engine.close(write, session, { state: 'restarted', reason: null })
      if (test.endsAt <= isoNow(clock))
        return inbox.changeControl(write, conversationId, { cause: 'botEnded', by: system })
      if (isHeldFromFlows(view.control))
        await inbox.changeControl(write, conversationId, { cause: 'released', by: system })
      await engine.begin(write, { flowId: test.flowId, trigger: 'test', conversationId, contactId }, { test })
    },
  }
}
