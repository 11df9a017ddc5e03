import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Log } from '#server/platform/log/log.ts'
import { workLimits } from '#shared/kernel/work.ts'
import type { Batch } from './batch.ts'
import type { Engine } from './engine.ts'
import type { IncomingJob } from './incoming.ts'
import type { FlowJobs } from './jobs.ts'

interface AtOnceParts {
  readonly log: Log
  readonly engine: Pick<Engine, 'together' | 'takePlainly'>
  readonly jobs: Pick<FlowJobs, 'listFree' | 'addMessages'>
  /** What fails is undone as a whole. Answers what it threw, undefined when it is through. */
  tryPart(write: OrgWrite, work: (part: OrgWrite) => Promise<unknown>): Promise<unknown>
}

/** Whoever stores messages holds everybody meanwhile; turns beyond these have commits of their own. */
const mostAtOnce = 16

/** Of a session under way. */
const goesOn = ({ starts, testId, isClosed }: IncomingJob): boolean =>
  starts === null && testId === undefined && !isClosed

/** Of each contact the first, if it is such a one: what comes behind another waits for it. None of who tapped a button with a deed. */
const firstsOf = (came: readonly IncomingJob[]): IncomingJob[] => {
  // What a later tap of theirs does in the same transaction comes before anything is said.
  const seen = new Set(came.filter(({ asked }) => asked.action !== undefined).map(({ asked }) => asked.contactId))
  return came.filter(one => seen.size < seen.add(one.asked.contactId).size && goesOn(one))
}

/**
 * Answers messages in the transaction that stores them, where all that a turn does is to say something and to wait, and
 * nothing of its contact is under way. Whatever does more, fails, or comes behind another is a job that follows.
 */
export const createAtOnce =
  ({ log, engine, jobs, tryPart }: AtOnceParts) =>
  async (write: OrgWrite, came: readonly IncomingJob[]): Promise<void> => {
    const firsts = firstsOf(came).slice(0, mostAtOnce)
    const contactIds = firsts.map(({ asked }) => asked.contactId)
    const free = firsts.length ? await jobs.listFree(write, contactIds) : new Set<string>()
    const turns = firsts.filter(({ asked }) => free.has(asked.contactId))
    const answered = new Set<IncomingJob>()
    const takeAll = async (part: OrgWrite, batch: Batch) => {
      for (const job of turns) {
        const { conversationId, contactId } = job.asked
        const isTaken = await engine.takePlainly(part, { conversationId, contactId, said: job.asked }, batch)
        if (isTaken) answered.add(job)
      }
    }
    if (turns.length) {
      const asked = turns.map(job => job.asked)
      const error = await tryPart(write, part =>
        engine.together(part, asked, batch => takeAll(part, batch), workLimits.atOnce),
      )
      if (error !== undefined) {
        log.warn({ err: error, orgId: write.orgId }, 'what a flow could not answer at once is left to its job')
        answered.clear()
      }
    }
    const left = came.filter(job => !answered.has(job))
    if (left.length) await jobs.addMessages(write, left)
  }
