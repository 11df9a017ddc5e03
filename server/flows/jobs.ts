import { type Static, Type } from 'typebox'
import type { OrgWrite } from '../events/writes.ts'
import type { Asked } from '../inbox/people/control.ts'
import type { Outcome } from '../jobs/job.ts'
import type { Jobs } from '../jobs/jobs.ts'
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
export type MessageJob = Static<typeof Message>
const Timer = Type.Object({ sessionId: Type.String(), contactId: Type.String(), steps: Type.Integer() })
export type TimerJob = Static<typeof Timer>
const Begin = Type.Object({
  flowId: Type.String(),
  triggerId: Type.String(),
  conversationId: Type.String(),
  contactId: Type.String(),
})
export type BeginJob = Static<typeof Begin>

export interface FlowWork {
  message(write: OrgWrite, job: MessageJob): Promise<void>
  timer(write: OrgWrite, job: TimerJob): Promise<void>
  begin(write: OrgWrite, job: BeginJob): Promise<void>
}

const orderOf = (contactId: string) => `flow ${contactId}`
const timerKey = (sessionId: string, steps: number) => `${sessionId} ${steps}`

/**
 * What flows have yet to do, as jobs. Each does all of its work in the commit that ends it: it is done once, whatever
 * process dies in between, and messages of a contact are taken one after another.
 */
export function createFlowJobs(jobs: Pick<Jobs, 'register'>, work: FlowWork) {
  const kind = <S extends typeof Message | typeof Timer | typeof Begin>(
    name: string,
    payload: S,
    run: (write: OrgWrite, job: Static<S>) => Promise<void>,
  ) =>
    jobs.register({
      name,
      payload,
      lane: 'bot',
      // As many share a commit: a turn is some twenty statements.
      atOnce: 8,
      isKept: false,
      run: async ({ orgId, payload }): Promise<Outcome> => ({
        kind: 'done',
        write: writes => run(writes.of(orgId), payload),
      }),
    })
  const messages = kind('flows.message', Message, work.message)
  const timers = kind('flows.timer', Timer, work.timer)
  const begins = kind('flows.begin', Begin, work.begin)

  const payloadOf = ({ messageId, conversationId, contactId, text, isText, tappedId, shared, at }: Asked) => ({
    ...{ messageId, conversationId, contactId, text, isText, tappedId },
    ...(shared ? { shared, at } : {}),
  })

  return {
    async addMessages(write: OrgWrite, added: readonly IncomingJob[]): Promise<void> {
      await messages.add(
        write.db,
        write.orgId,
        added.map(({ asked, starts, testId, isClosed }) => ({
          payload: {
            ...{ ...payloadOf(asked), starts },
            ...(testId ? { testId } : {}),
            ...(isClosed ? { isClosed } : {}),
          },
          orderKey: orderOf(asked.contactId),
          uniqueKey: isClosed ? `${asked.messageId} closed` : asked.messageId,
        })),
      )
      write.afterCommit(messages.wake)
    },
    async addBegin(write: OrgWrite, job: BeginJob): Promise<void> {
      await begins.add(write.db, write.orgId, [{ payload: job, orderKey: orderOf(job.contactId) }])
      write.afterCommit(begins.wake)
    },
    /** The session goes on by itself at `wakesAt`, or no longer does. */
    async setTimer(
      { db, orgId, afterCommit }: OrgWrite,
      session: StoredSession,
      before?: StoredSession,
    ): Promise<void> {
      const known = before && before.wakesAt !== null ? timerKey(before.id, before.steps) : undefined
      if (session.wakesAt === null) {
        if (known !== undefined) await timers.cancel(db, orgId, [known])
        return
      }
      const { id: sessionId, contactId, steps, wakesAt: dueAt } = session
      const payload = { sessionId, contactId, steps }
      const timer = { payload, orderKey: orderOf(contactId), uniqueKey: timerKey(sessionId, steps), dueAt }
      if (known === undefined) await timers.add(db, orgId, [timer])
      else await timers.replace(db, orgId, known, timer)
      afterCommit(timers.wake)
    },
  }
}
export type FlowJobs = ReturnType<typeof createFlowJobs>
