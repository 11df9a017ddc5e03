import type { OrgWrite } from '#server/platform/events/write.ts'
import type { Log } from '#server/platform/log/log.ts'
import { workLimits } from '#shared/kernel/work.ts'
import type { Batch } from './batch.ts'
import type { Engine } from './engine.ts'
import type { IncomingJob } from './incoming.ts'
import type { FlowJobs } from './jobs.ts'

interface AtOnceParts {
  readonly log: Log
  readonly engine: Pick<Engine, 'together' | 'tryAnswerInTransaction'>
  readonly jobs: Pick<FlowJobs, 'listFree' | 'addMessages'>
  /** Runs `work` and undoes all of it if it throws. Returns the error, or undefined on success. */
  trySavepoint(write: OrgWrite, work: (part: OrgWrite) => Promise<unknown>): Promise<unknown>
}

/** The transaction that stores messages delays all writers, so further sessions advance in commits of their own. */
const maxAnswersInTransaction = 16

/** The message belongs to a running session, so no flow starts. */
const continuesSession = ({ starts, testId, isClosed }: IncomingJob): boolean =>
  starts === null && testId === undefined && !isClosed

/**
 * The first message of each contact, if it continues a session; later ones of the contact wait for it. Contacts who
 * tapped an action button are left out.
 */
const firstsOf = (came: readonly IncomingJob[]): IncomingJob[] => {
  // A later tap's action runs in the same transaction, before anything is sent.
  const seen = new Set(came.filter(({ asked }) => asked.action !== undefined).map(({ asked }) => asked.contactId))
  return came.filter(one => seen.size < seen.add(one.asked.contactId).size && continuesSession(one))
}

/**
 * Answers messages in the transaction that stores them, if the session only sends messages and waits, and no other work of
 * the contact is queued. Every other message, and one whose answer throws, becomes a job.
 */
export const createAtOnce =
  ({ log, engine, jobs, trySavepoint }: AtOnceParts) =>
  async (write: OrgWrite, came: readonly IncomingJob[]): Promise<void> => {
    const firsts = firstsOf(came).slice(0, maxAnswersInTransaction)
    const contactIds = firsts.map(({ asked }) => asked.contactId)
    const free = firsts.length ? await jobs.listFree(write, contactIds) : new Set<string>()
    const inline = firsts.filter(({ asked }) => free.has(asked.contactId))
    const answered = new Set<IncomingJob>()
    const takeAll = async (part: OrgWrite, batch: Batch) => {
      for (const job of inline) {
        const { conversationId, contactId } = job.asked
        const isTaken = await engine.tryAnswerInTransaction(
          part,
          { conversationId, contactId, message: job.asked },
          batch,
        )
        if (isTaken) answered.add(job)
      }
    }
    if (inline.length) {
      const asked = inline.map(job => job.asked)
      const error = await trySavepoint(write, part =>
        engine.together(part, asked, batch => takeAll(part, batch), workLimits.atOnce),
      )
      if (error !== undefined) {
        log.warn({ err: error, orgId: write.orgId }, 'inline flow answer failed; its job will run it')
        answered.clear()
      }
    }
    const left = came.filter(job => !answered.has(job))
    if (left.length) await jobs.addMessages(write, left)
  }
