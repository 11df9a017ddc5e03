import { type Static, Type } from 'typebox'
import type { AskedMessage } from '#server/messaging/messages/inbound/asked-message.ts'
import type { ManyWrites, OrgWrite } from '#server/platform/events/write.ts'
import { type JobKind, longestGapMs, type NewJob, type Outcome } from '#server/platform/jobs/job.ts'
import type { Jobs } from '#server/platform/jobs/jobs.ts'
import { flowLimits, waitUnitMs } from '#shared/flows/limits.ts'
import type { IncomingJob } from './incoming.ts'
import type { StoredSession } from './session-store.ts'

const Nullable = <T extends Parameters<typeof Type.Union>[0][number]>(schema: T) => Type.Union([schema, Type.Null()])

const Message = Type.Object({
  messageId: Type.String(),
  conversationId: Type.String(),
  contactId: Type.String(),
  text: Type.String(),
  isText: Type.Boolean(),
  tappedId: Nullable(Type.String()),
  shared: Type.Optional(
    Type.Object({ kind: Type.Union([Type.Literal('file'), Type.Literal('location')]), value: Type.String() }),
  ),
  at: Type.Optional(Type.String()),
  starts: Nullable(Type.Object({ flowId: Type.String(), triggerId: Type.String() })),
  testId: Type.Optional(Type.String()),
  isClosed: Type.Optional(Type.Literal(true)),
})
type MessageJob = Static<typeof Message>
const Timer = Type.Object({ sessionId: Type.String(), contactId: Type.String(), steps: Type.Integer() })
type TimerJob = Static<typeof Timer>
type Timed = NewJob<TimerJob>
/** A session now and before; without a before it has just begun. */
export interface TimerChange {
  readonly session: StoredSession
  readonly before: StoredSession | undefined
}
const Begin = Type.Object({
  flowId: Type.String(),
  triggerId: Type.String(),
  conversationId: Type.String(),
  contactId: Type.String(),
})
type BeginJob = Static<typeof Begin>

/** The work of one organization's jobs in one commit, at most one per contact. */
interface FlowWork {
  message(write: OrgWrite, jobs: readonly MessageJob[]): Promise<void>
  timer(write: OrgWrite, jobs: readonly TimerJob[]): Promise<void>
  begin(write: OrgWrite, jobs: readonly BeginJob[]): Promise<void>
}

/** The largest number of bot jobs in one commit. */
const atOnce = 43

const orderOf = (contactId: string) => `flow ${contactId}`
const timerKey = (sessionId: string, steps: number) => `${sessionId} ${steps}`

/**
 * The queued work of flows. Each job does all its work in the commit that ends it, so it is done once even if a process
 * dies; jobs of one contact run one after another.
 */
export function createFlowJobs(jobs: Pick<Jobs, 'register'>, work: FlowWork) {
  const kind = <S extends typeof Message | typeof Timer | typeof Begin>(
    name: string,
    payload: S,
    run: (write: OrgWrite, jobs: readonly Static<S>[]) => Promise<void>,
    due: Pick<JobKind<S>, 'looksWithinMs' | 'keepsTime'> = { looksWithinMs: longestGapMs },
  ) => {
    type Item = { readonly orgId: string; readonly payload: Static<S> }
    const write = async (writes: ManyWrites, items: readonly Item[]) => {
      for (const [orgId, some] of Map.groupBy(items, item => item.orgId))
        await run(
          writes.of(orgId),
          some.map(item => item.payload),
        )
    }
    return jobs.register({
      name,
      ...due,
      payload,
      lane: 'bot',
      atOnce,
      isKept: false,
      isWhole: true,
      run: async ({ orgId, payload }): Promise<Outcome> => ({
        kind: 'done',
        together: { write, item: { orgId, payload } satisfies Item },
      }),
    })
  }
  const messages = kind('flows.message', Message, work.message)
  const timers = kind('flows.timer', Timer, work.timer, {
    looksWithinMs: flowLimits.waitDays * waitUnitMs.days,
    keepsTime: 'fromAdding',
  })
  const begins = kind('flows.begin', Begin, work.begin)

  const payloadOf = ({ messageId, conversationId, contactId, text, isText, tappedId, shared, at }: AskedMessage) => ({
    messageId,
    conversationId,
    contactId,
    text,
    isText,
    tappedId,
    ...(shared ? { shared, at } : {}),
  })

  return {
    /** Returns the contacts without a running or queued job. */
    async listFree({ db, orgId }: OrgWrite, contactIds: readonly string[]): Promise<ReadonlySet<string>> {
      const free = new Set(await messages.listFree(db, orgId, contactIds.map(orderOf)))
      return new Set(contactIds.filter(id => free.has(orderOf(id))))
    },
    async addMessages(write: OrgWrite, added: readonly IncomingJob[]): Promise<void> {
      await messages.addAndBegin(
        write,
        ...added.map(({ asked, starts, testId, isClosed }) => ({
          payload: {
            ...payloadOf(asked),
            starts,
            ...(testId ? { testId } : {}),
            ...(isClosed ? { isClosed } : {}),
          },
          orderKey: orderOf(asked.contactId),
          uniqueKey: isClosed ? `${asked.messageId} closed` : asked.messageId,
        })),
      )
    },
    async addBegin(write: OrgWrite, job: BeginJob): Promise<void> {
      await begins.add(write.db, write.orgId, [{ payload: job, orderKey: orderOf(job.contactId) }])
      write.afterCommit(begins.wake)
    },
    /** Sets or clears the timers of sessions (`wakesAt`). */
    async setTimers({ db, orgId, afterCommit }: OrgWrite, changed: readonly TimerChange[]): Promise<void> {
      const over: string[] = []
      const added: Timed[] = []
      const replaced: { uniqueKey: string; job: Timed }[] = []
      for (const { session, before } of changed) {
        const known = before && before.wakesAt !== null ? timerKey(before.id, before.steps) : undefined
        const { id: sessionId, contactId, steps, wakesAt: dueAt } = session
        const payload = { sessionId, contactId, steps }
        const job = dueAt !== null && {
          payload,
          orderKey: orderOf(contactId),
          uniqueKey: timerKey(sessionId, steps),
          dueAt,
        }
        if (!job) over.push(...(known === undefined ? [] : [known]))
        else if (known === undefined) added.push(job)
        else replaced.push({ uniqueKey: known, job })
      }
      if (over.length) await timers.cancel(db, orgId, over)
      await timers.replace(db, orgId, replaced)
      if (added.length) await timers.add(db, orgId, added)
      if (added.length || replaced.length) afterCommit(timers.wake)
    },
  }
}
export type FlowJobs = ReturnType<typeof createFlowJobs>
